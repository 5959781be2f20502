import type { Clock } from '../clock.ts'

/**
 * A token bucket that holds `capacity` and refills by `perSecond`. A class, because there are several per connection
 * and closures would be most of a connection's memory.
 */
export class TokenBucket {
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

  /** Takes an amount if available. */
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
    // A clock that is set back must not empty the bucket.
    const elapsedS = Math.max(0, now - this.#at) / 1000
    this.#level = Math.min(this.#capacity, this.#level + elapsedS * this.#perSecond)
    this.#at = now
  }
}
