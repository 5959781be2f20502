/** The time in epoch milliseconds. Handed in wherever a rule depends on it. */
export type Clock = () => number
