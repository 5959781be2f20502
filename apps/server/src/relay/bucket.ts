import type { Clock } from '../clock.ts'

/**
 * A budget that fills again by itself: it holds `capacity` and gains `perSecond`. A class, because there are several for
 * each connection, and functions of their own for each would be most of what a connection costs.
 */
export class Bucket {
  readonly #capacity: number
  readonly #perSecond: number
  readonly #clock: Clock
  #level: number
  #at: number

  constructor(capacity: number, perSecond: number, clock: Clock) {
    this.#capacity = capacity
    this.#perSecond = perSecond
    this.#clock = clock
    this.#level = capacity
    this.#at = clock()
  }

  /** Takes an amount where it is there. */
  take(amount: number): boolean {
    this.#refill()
    if (amount > this.#level) return false
    this.#level -= amount
    return true
  }

  isFull(): boolean {
    this.#refill()
    return this.#level >= this.#capacity
  }

  #refill(): void {
    const now = this.#clock()
    // A clock that is set back must not empty it.
    const passedS = Math.max(0, now - this.#at) / 1000
    this.#level = Math.min(this.#capacity, this.#level + passedS * this.#perSecond)
    this.#at = now
  }
}
