"""A reranker: sections that share more pairs of neighbouring characters with the query
come first. It knows nothing of languages, so it serves Japanese and English alike."""

import math
from collections import Counter

import sagasu
import strategy_pb2 as pb


def pairs(text):
    """Counts the pairs of neighbouring letters and digits."""
    text = "".join(c for c in text.lower() if c.isalnum())
    return Counter(text[i : i + 2] for i in range(len(text) - 1))


def likeness(a, b):
    """The cosine of two counts, from 0 to 1."""
    shared = sum(n * b[pair] for pair, n in a.items())
    lengths = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return shared / lengths if lengths else 0.0


class Pairs:
    def describe(self):
        return pb.Description(
            name="pairs", version="2", stage="rerank", signals=["late_rerank"], weight=0.1, corpora=["manual", "vault"]
        )

    def search(self, request, corpus):
        asked = pairs(request.query.text or request.query.raw)
        rows = [
            sagasu.Found(section.section, likeness(asked, pairs("\n".join(section.fields))), ["late_rerank"])
            for section in corpus.sections(request.pool.sections, max_bytes=8192)
        ]
        return sagasu.found(rows, request, examined=len(rows))


if __name__ == "__main__":
    sagasu.serve(Pairs())
