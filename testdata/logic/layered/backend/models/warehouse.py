from enum import Enum
from typing import Optional

from pydantic import BaseModel, Field


class PalletState(str, Enum):
    EMPTY = "empty"
    LOADED = "loaded"
    BLOCKED = "blocked"


class GoodsReceipt(BaseModel):
    supplier_code: str
    batch_number: Optional[str] = None
    boxes: int = Field(..., ge=1, le=500)


class Shelf(BaseModel):
    max_load_kg: int = 800
    temperature_zone: str
