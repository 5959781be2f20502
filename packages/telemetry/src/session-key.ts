import type { SessionKey } from '@portico/contracts/telemetry'

/** Parses a session key (§3); undefined if the value is not one. */
export function parseSessionKey(value: unknown): SessionKey | undefined {
  const { uuid, epoch, trackerUuid } = (value ?? {}) as Readonly<Record<string, unknown>>
  return typeof uuid === 'string' && typeof trackerUuid === 'string' && typeof epoch === 'number'
    ? { uuid, epoch, trackerUuid }
    : undefined
}
