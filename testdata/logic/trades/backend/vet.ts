/** 動物病院の予約と診察。 */
const SLOT_LENGTH_MIN = 20;
const MAX_PETS_PER_OWNER = 5;
const VACCINE_INTERVAL = 365;
const NO_SHOW_FEE = 3000;
export enum Species {
  Dog = 'dog',
  Cat = 'cat',
  Rabbit = 'rabbit',
}

type PetInput = {
  name: string;
  chipNumber?: string;
  weightKg: number;
};

export class VetService {
  /** ペットを登録する。 */
  registerPet(owner: Owner, pet: PetInput) {
    if (owner.pets.length >= MAX_PETS_PER_OWNER) {
      throw new ConflictException('owner has too many pets');
    }
    if (pet.weightKg > 60) {
      throw new BadRequestException('pet is too heavy');
    }
    owner.pets.push(pet);
  }

  /** 予約をキャンセルする。 */
  cancelVisit(visit: Visit, hoursBefore: number) {
    if (hoursBefore < 24) {
      this.billing.charge(visit.owner, NO_SHOW_FEE);
    }
    visit.status = VisitStatus.CANCELED;
  }

  needsVaccine(pet: Pet, daysSinceLast: number): boolean {
    return daysSinceLast >= VACCINE_INTERVAL;
  }

  /** 手術の前に同意書を確認する。 */
  startSurgery(visit: Visit) {
    this.anesthetize(visit.pet);
    this.checkConsent(visit.owner);
    visit.status = 'in_surgery';
  }

  findPet(id: string) {
    const pet = this.repo.find(id);
    if (!pet) {
      throw new NotFoundException('pet not found');
    }
    return pet;
  }
}
