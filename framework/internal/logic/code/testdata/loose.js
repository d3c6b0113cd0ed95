'use strict'
const a = 1
exports.parse = function parse (text) {
  return text.split(/,|{/)
}

Queue.prototype.next = async () => {
  while (this.size < 10) await tick()
}

var plain = wrap(function () {
  return `}`
})

class Queue {
  #items = []
  static of (...items) { return new Queue(items) }
  get #last () {
    return this.#items.at(-1)
  }
  *[Symbol.iterator] () {
    yield* this.#items
  }
}

if (a) {
  function inner () { return 'x' }
}
