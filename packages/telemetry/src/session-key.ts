import type { SessionKey } from '@portico/contracts/telemetry'

/** The session key that a value is (§3); nothing where it is none. */
export function sessionKeyIn(value: unknown): SessionKey | undefined {
  const { uuid, epoch, trackerUuid } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof uuid === 'string' && typeof trackerUuid === 'string' && typeof epoch === 'number'
    ? { uuid, epoch, trackerUuid }
    : undefined
}
