/**
 * Audit events that anyone can cause, such as refused requests, and events that repeat, such as an operator's reads. The first
 * of a kind is recorded at once and its repetitions as one event with their number, so that no one can flood the audit log.
 */
import { Refusal } from '@portico/contracts/errors'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Stores } from '../stores.ts'
import type { AuditSource } from './audit.store.ts'
import type { AuditKind } from './audit-events.ts'

/** How long repetitions of an event are counted. */
const WINDOW_MS = 10 * 60 * 1000
/** How many different events of a kind a node records per window. The others are counted together. */
const MAX_EVENTS = 200
const MAX_DETAIL_LENGTH = 100

interface BoundedEvent {
  readonly kind: AuditKind
  readonly identityId: string | null
  readonly operatorId: string | undefined
  /** Of the event; by default of the visitor's page. */
  readonly organizationCode: string
  readonly network: string
  readonly details: Readonly<Record<string, string | number>>
}

export type BoundedAudit = ReturnType<typeof boundedAudit>

export function boundedAudit({
  stores,
  clock,
  log,
}: {
  readonly stores: Pick<Stores, 'audit'>
  readonly clock: Clock
  readonly log: Logger
}) {
  const windows = new Map<
    AuditKind,
    Map<string, { event: BoundedEvent; at: number; repeated: number }>
  >()

  const write = (event: BoundedEvent, at: number) => {
    const { kind, network, organizationCode, operatorId, ...subject } = event
    const operator = operatorId === undefined ? {} : { operator: { id: operatorId } }
    return stores.audit.record(
      kind,
      { ...subject, ...operator, organizationCode, at },
      { network, organization: { orgCode: organizationCode } },
    )
  }

  async function record(given: BoundedEvent, isBounded: boolean): Promise<void> {
    const ofKind = windows.get(given.kind) ?? new Map<string, never>()
    windows.set(given.kind, ofKind)
    const isFull = isBounded && ofKind.size >= MAX_EVENTS && !ofKind.has(JSON.stringify(given))
    const event = isFull
      ? { ...given, identityId: null, operatorId: undefined, network: 'several', details: {} }
      : given
    const key = JSON.stringify(event)
    const known = ofKind.get(key)
    if (known !== undefined) {
      known.repeated += 1
      return
    }
    const at = clock()
    ofKind.set(key, { event, at, repeated: 0 })
    await write(event, at)
  }

  return {
    /** Records a read by an operator. The caller waits, so that no one reads what is not in the log. */
    recordRead: (
      kind: AuditKind,
      read: {
        readonly operatorId: string
        readonly identityId?: string
        readonly organizationCode: string
        readonly details?: BoundedEvent['details']
      },
      { network }: Pick<AuditSource, 'network'>,
    ): Promise<void> => record({ kind, identityId: null, details: {}, ...read, network }, false),

    /** Records a refused request in the background: its response must not take longer for some accounts than for others. */
    noteRefusal(
      kind: AuditKind,
      {
        identityId = null,
        operatorId,
        details,
      }: Partial<Pick<BoundedEvent, 'identityId' | 'operatorId'>> & Pick<BoundedEvent, 'details'>,
      { network, organization }: AuditSource,
    ): void {
      const short = Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.slice(0, MAX_DETAIL_LENGTH) : value,
        ]),
      )
      const { orgCode: organizationCode } = organization
      record(
        { kind, identityId, operatorId, organizationCode, network, details: short },
        true,
      ).catch((error: unknown) => log.error({ err: error }, 'a refusal could not be recorded'))
    },

    /** Records the repetitions of windows that have ended. */
    async flush(): Promise<void> {
      const at = clock()
      for (const ofKind of windows.values()) {
        for (const [key, { event, repeated, ...window }] of ofKind) {
          // A clock that was set back ends a window too.
          if (Math.abs(at - window.at) < WINDOW_MS) continue
          ofKind.delete(key)
          const details = { ...event.details, repeated }
          if (repeated > 0) await write({ ...event, details }, at)
        }
      }
    },
  }
}

/** The refusal of an attempt or of a message during a lockout. */
export class LockoutRefusal extends Refusal {
  /** The keyed hash of the address, which need not have an account. */
  readonly address: string

  constructor(address: string, retryAfterS: number) {
    super('too-many-requests', { retryAfterS })
    this.address = address
  }
}
