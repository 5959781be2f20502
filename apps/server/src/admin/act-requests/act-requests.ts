/**
 * Acts that need a second operator. Calling such an act stores a request. Once another person with permission for the same
 * call approves it, the act runs with the requester's permissions at that moment. One statement consumes the request, and
 * the act's own transaction marks it as done, so the act runs at most once and its outcome is known even after a crash.
 */
import { randomUUID } from 'node:crypto'
import type {
  ActRequest,
  ActRequestItem,
  ActRequestState,
} from '@portico/contracts/admin/act-requests'
import { ALL_ORGANIZATIONS, type Permission } from '@portico/contracts/admin/permissions'
import {
  APPROVABLE_ACTS,
  type ApprovableAct,
  type ApprovalNeeded,
} from '@portico/contracts/admin/second-operator'
import type { Call } from '@portico/contracts/call'
import { type ErrorCode, Refusal } from '@portico/contracts/errors'
import { ACT_REQUEST_LIFETIME_MS } from '@portico/contracts/limits'
import type { Organization } from '@portico/contracts/organization-file'
import { actRequestState, decisionRefusal } from '@portico/rules/act-requests'
import {
  includesScope,
  isEmpty,
  rolesWith,
  scopeOfCodes,
} from '@portico/rules/operator-permissions'
import type { AuditKind } from '../../audit/audit-events.ts'
import type { Organizations, Sender } from '../../brands/brands.ts'
import type { Clock } from '../../clock.ts'
import { parseInput } from '../../http/serve.ts'
import type { Visitor } from '../../http/visitor.ts'
import { approvalNeededMail, requestDecidedMail } from '../../mail/mails.ts'
import type { Outbox } from '../../mail/outbox.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { Stores, TransactionalStores } from '../../stores.ts'
import { visiblePage } from '../keyset.ts'
import type { Operator, Operators } from '../operators/operators.ts'
import type { ActRequestRow } from './act-requests.store.ts'

/** What an act applies to. */
export interface ActSubject {
  /** An email address, a code or a name. */
  readonly name: string
  /** Includes `*` for all organizations. */
  readonly organizationCodes: readonly string[]
  /** The person the act applies to, who must not approve it. */
  readonly identityUuid?: string
}

/** An act with its call's types erased. */
interface AnyAct {
  readonly check: (body: unknown, operator: Operator) => Promise<ActSubject | { answer: unknown }>
  readonly perform: (exchange: {
    readonly body: unknown
    readonly query: undefined
    readonly operator: Operator
    readonly visitor: Visitor
  }) => Promise<unknown>
}

interface Actor {
  readonly operator: Operator
  readonly visitor: Visitor
}

type RequestStores =
  | 'actRequests'
  | 'audit'
  | 'identities'
  | 'identityRoles'
  | 'messages'
  | 'serviceTokens'

/** A request as described in mail. */
type MailedRequest = Pick<
  ActRequestRow,
  | 'act'
  | 'expiresAt'
  | 'id'
  | 'organizationCodes'
  | 'requestedBy'
  | 'requesterKind'
  | 'requesterName'
  | 'requesterPerson'
>

interface Decision {
  readonly requestUuid: string
  readonly reason: string
}

interface Content {
  readonly subject: string
  readonly input: Readonly<Record<string, unknown>>
}

export type ActRequests = ReturnType<typeof actRequests>

export function actRequests({
  stores,
  operators,
  vault,
  clock,
  outbox,
  organizations,
  senderOf,
  needed,
}: {
  readonly stores: TransactionalStores<RequestStores>
  readonly operators: Pick<Operators, 'find'>
  readonly vault: Vault
  readonly clock: Clock
  readonly outbox: Pick<Outbox, 'add'>
  readonly organizations: Pick<Organizations, 'defaultOrganization' | 'withCode'>
  /** The sender of mail to an organization's operators. */
  readonly senderOf: (organization: Organization) => Sender
  /** The acts that need a second operator. */
  readonly needed: readonly ApprovableAct[]
}) {
  const acts = new Map<string, { readonly call: Call; readonly act: AnyAct }>()

  function actOf(name: string) {
    const found = acts.get(name)
    if (found === undefined) throw new Error(`There is no act ${name}`)
    return found
  }

  const permissionOf = ({ act }: Pick<ActRequestRow, 'act'>): Permission => {
    const { permission } = actOf(act).call
    if (permission === undefined) throw new Error(`The act ${act} has no permission`)
    return permission
  }

  const contentOf = ({ content }: ActRequestRow) =>
    JSON.parse(vault.unwrap('act request', content)) as Content // Written by `submit`.

  const isVisible = (request: ActRequestRow, operator: Operator) =>
    request.requestedBy === operator.id ||
    includesScope(operator.scopeOf(permissionOf(request)), scopeOfCodes(request.organizationCodes))

  async function findVisible(id: string, operator: Operator): Promise<ActRequestRow> {
    const request = await stores.actRequests.find(id)
    if (request === undefined || !isVisible(request, operator)) throw new Refusal('not-found')
    return request
  }

  function itemOf(request: ActRequestRow, operator: Operator): ActRequestItem {
    const state = request.state as ActRequestState // Only this module writes it.
    const isDecided = ['declined', 'running', 'interrupted', 'done', 'failed'].includes(state)
    return {
      requestUuid: request.id,
      act: request.act as ApprovableAct, // Only this module writes it.
      subject: contentOf(request).subject,
      organizationCodes: [...request.organizationCodes],
      reason: request.reason,
      requestedBy: request.requesterName,
      requesterKind: request.requesterKind === 'token' ? 'token' : 'person',
      isOwn: [request.requestedBy, request.requesterPerson].includes(operator.id),
      createdAt: request.createdAt,
      expiresAt: request.expiresAt,
      state: actRequestState({ ...request, state }, clock()),
      decidedBy: isDecided ? request.deciderName : null,
      decidedAt: request.decidedAt,
      decisionReason: request.decisionReason,
      failure: request.failure,
    }
  }

  /** Returns why the operator could not make the call now; undefined if they could. */
  async function check(request: ActRequestRow, operator: Operator) {
    const { call, act } = actOf(request.act)
    const body = parseInput(call.body, contentOf(request).input)
    try {
      const checked = await act.check(body, operator)
      if ('answer' in checked) return { body, failure: failureOf(checked.answer) }
      const isAboutThem = checked.identityUuid === operator.id
      return { body, failure: isAboutThem ? ('not-permitted' as const) : undefined }
    } catch (error) {
      if (error instanceof Refusal) return { body, failure: error.code }
      throw error
    }
  }

  const record = (
    { audit }: Pick<TransactionalStores<'audit'>, 'audit'>,
    kind: AuditKind,
    {
      request,
      ...line
    }: {
      readonly request: Pick<ActRequestRow, 'act' | 'id' | 'organizationCodes'>
      readonly at: number
      readonly by: Actor
      readonly details: Readonly<Record<string, string>>
    },
  ) =>
    audit.record(
      kind,
      {
        identityId: null,
        at: line.at,
        organizationCode: request.organizationCodes[0] ?? ALL_ORGANIZATIONS,
        operator: line.by.operator,
        details: { act: request.act, actRequest: request.id, ...line.details },
      },
      line.by.visitor,
    )

  const senderFor = (organizationCode: string) =>
    senderOf(organizations.withCode(organizationCode) ?? organizations.defaultOrganization)

  /** Notifies everyone who may approve a request. */
  async function mailApprovers(
    transaction: Pick<Stores, RequestStores>,
    request: MailedRequest,
    { identityUuid, permission }: { identityUuid: string | undefined; permission: Permission },
  ): Promise<void> {
    const { organizationCodes, requestedBy, requesterPerson } = request
    const grants = await transaction.identityRoles.listGrantsOf(rolesWith(permission))
    const involved = [requestedBy, requesterPerson, identityUuid]
    for (const [identityId, own] of Map.groupBy(grants, (grant) => grant.identityId)) {
      const [first] = own
      const scope = scopeOfCodes(own.map(({ organizationCode }) => organizationCode))
      const mayApprove = includesScope(scope, scopeOfCodes(organizationCodes))
      if (first === undefined || !mayApprove || involved.includes(identityId)) continue
      await outbox.add(
        transaction,
        approvalNeededMail(senderFor(first.ownOrganizationCode), {
          email: first.email,
          act: request.act as ApprovableAct, // Only this module writes it.
          requestUuid: request.id,
          requestedBy: request.requesterName,
          organizations: organizationCodes.map(nameOf).join(', '),
          expiresAt: request.expiresAt,
        }),
      )
    }
  }

  const nameOf = (code: string) =>
    code === ALL_ORGANIZATIONS
      ? 'all organizations'
      : (organizations.withCode(code)?.companyInfo.name ?? code)

  /** Notifies the requester, unless the requester is a program. */
  async function mailRequester(
    transaction: Pick<Stores, RequestStores>,
    request: ActRequestRow,
    outcome: 'done' | 'failed' | 'declined' | 'expired' | 'interrupted',
  ): Promise<void> {
    if (request.requesterKind === 'token') return
    const requester = await transaction.identities.findById(request.requestedBy)
    if (requester === undefined) return
    await outbox.add(
      transaction,
      requestDecidedMail(senderFor(requester.organizationCode), {
        email: requester.email,
        act: request.act as ApprovableAct, // Only this module writes it.
        requestUuid: request.id,
        outcome,
        decidedBy: request.deciderName ?? '',
      }),
    )
  }

  /** @throws Refusal - `request-ended` if it is no longer waiting */
  function decide(
    request: ActRequestRow,
    { state, kind }: { state: 'running' | 'declined' | 'withdrawn'; kind: AuditKind },
    { reason, by }: { readonly reason: string; readonly by: Actor },
  ): Promise<ActRequestRow> {
    const at = clock()
    return stores.atomically(async (transaction) => {
      const decided = await transaction.actRequests.consume(request.id, {
        state,
        decidedBy: by.operator.id,
        deciderName: by.operator.name,
        decidedAt: at,
        decisionReason: reason.trim(),
      })
      if (decided === undefined) throw new Refusal('request-ended')
      await record(transaction, kind, { request, at, by, details: { reason: reason.trim() } })
      if (state === 'declined') await mailRequester(transaction, decided, state)
      return decided
    })
  }

  async function end(request: ActRequestRow, by: Actor, ended: Outcome): Promise<void> {
    if ('answer' in ended) {
      // A call without a response body stores null.
      const answer = vault.wrap('act answer', JSON.stringify(ended.answer ?? {}))
      await stores.atomically(async (transaction) => {
        const isDone = await transaction.actRequests.updateEnded(request.id, {
          state: 'done',
          answer,
        })
        if (isDone) await mailRequester(transaction, request, 'done')
      })
      return
    }
    const { failure } = ended
    await stores.atomically(async (transaction) => {
      const isFailed = await transaction.actRequests.updateEnded(request.id, {
        state: 'failed',
        failure,
      })
      if (isFailed) {
        await record(transaction, 'act-failed', { request, at: clock(), by, details: { failure } })
        await mailRequester(transaction, request, 'failed')
        return
      }
      // The act may have been committed although its connection was lost.
      const current = await transaction.actRequests.find(request.id)
      if (current?.state === 'done') await mailRequester(transaction, request, 'done')
    })
  }

  /** Runs an approved act on the requester's behalf. */
  async function perform(request: ActRequestRow, body: unknown, by: Actor): Promise<Outcome> {
    const requester = await operators.find({
      kind: request.requesterKind === 'token' ? 'token' : 'person',
      id: request.requestedBy,
    })
    if (requester === undefined || isEmpty(requester.scopeOf(permissionOf(request)))) {
      return { failure: 'not-permitted' }
    }
    const approval = { actRequest: request.id, approvedBy: by.operator.id }
    try {
      const answer = await actOf(request.act).act.perform({
        body,
        query: undefined,
        operator: { ...requester, approval },
        visitor: by.visitor,
      })
      const failure = failureOf(answer)
      return failure === undefined ? { answer } : { failure }
    } catch (error) {
      if (error instanceof Refusal) return { failure: error.code }
      await end(request, by, { failure: 'server-fault' })
      throw error
    }
  }

  async function findToDecide({ requestUuid }: Decision, operator: Operator) {
    const request = await findVisible(requestUuid, operator)
    const refused = decisionRefusal(request, operator)
    if (refused !== undefined) throw new Refusal(refused)
    return request
  }

  return {
    /** The operator's acts that need a second operator. */
    neededFor: ({ permissions }: Operator): ApprovableAct[] =>
      needed.filter((name) => {
        const { permission } = actOf(name).call
        return permission !== undefined && permissions.includes(permission)
      }),

    isNeeded: (name: string): boolean => needed.some((act) => act === name),

    add(call: Call, act: AnyAct): void {
      if (!APPROVABLE_ACTS.some((name) => name === call.name)) {
        throw new Error(`${call.name} is not in APPROVABLE_ACTS`)
      }
      acts.set(call.name, { call, act })
    },

    /**
     * Stores a request for an act that has already been checked.
     *
     * @throws Refusal - `already-requested` if a request for the same act is waiting, whoever made it and for whatever
     *   reason
     */
    async submit(
      {
        call,
        body,
        subject,
      }: { call: Call; body: { readonly reason: string }; subject: ActSubject },
      by: Actor,
    ): Promise<ApprovalNeeded> {
      const { operator } = by
      const token = operator.kind === 'token' && (await stores.serviceTokens.find(operator.id))
      const createdAt = clock()
      const { name, organizationCodes } = subject
      const { reason, ...rest } = body
      const request = {
        id: randomUUID(),
        act: call.name,
        content: vault.wrap('act request', JSON.stringify({ subject: name, input: body })),
        fingerprint: vault.mac('act request', JSON.stringify([call.name, rest])),
        organizationCodes,
        reason: reason.trim(),
        requestedBy: operator.id,
        requesterKind: operator.kind,
        requesterName: operator.name,
        requesterPerson: token ? token.createdBy : operator.id,
        createdAt,
        expiresAt: createdAt + ACT_REQUEST_LIFETIME_MS,
      }
      await stores.atomically(async (transaction) => {
        const { fingerprint } = request
        const expired = await transaction.actRequests.expire({ fingerprint }, createdAt)
        if (expired !== undefined) await mailRequester(transaction, expired, 'expired')
        const isNew = await transaction.actRequests.insert(request)
        if (!isNew) throw new Refusal('already-requested')
        const details = { reason: request.reason }
        await record(transaction, 'act-requested', { request, at: createdAt, by, details })
        await mailApprovers(transaction, request, {
          identityUuid: subject.identityUuid,
          permission: permissionOf(request),
        })
      })
      return {
        outcome: 'approval-needed',
        requestUuid: request.id,
        expiresAt: request.expiresAt,
      }
    },

    /** Marks requests that expired, and approved acts that were interrupted, and notifies their requesters. */
    async endOverdue(): Promise<void> {
      for (const id of await stores.actRequests.listExpired(clock())) {
        await stores.atomically(async (transaction) => {
          const expired = await transaction.actRequests.expire({ id }, clock())
          if (expired !== undefined) await mailRequester(transaction, expired, 'expired')
        })
      }
      for (const id of await stores.actRequests.listInterrupted(clock())) {
        await stores.atomically(async (transaction) => {
          const interrupted = await transaction.actRequests.interrupt(id)
          if (interrupted !== undefined)
            await mailRequester(transaction, interrupted, 'interrupted')
        })
      }
    },

    async list(
      query: {
        readonly state?: 'waiting' | undefined
        readonly after?: string | undefined
        readonly limit?: string | undefined
      },
      operator: Operator,
    ): Promise<{ items: ActRequestItem[]; next: string | null }> {
      const waitingAt = query.state === undefined ? undefined : clock()
      const { items, next } = await visiblePage(query, {
        list: (page) => stores.actRequests.list({ ...page, waitingAt }),
        isVisible: (request) => isVisible(request, operator),
      })
      return { items: items.map((request) => itemOf(request, operator)), next }
    },

    async read(requestUuid: string, operator: Operator): Promise<ActRequest> {
      const request = await findVisible(requestUuid, operator)
      const item = itemOf(request, operator)
      const isWaiting = item.state === 'waiting'
      const failure = isWaiting ? (await check(request, operator)).failure : undefined
      return {
        ...item,
        input: contentOf(request).input,
        canApprove:
          isWaiting && failure === undefined && decisionRefusal(request, operator) === undefined,
        obstacle: failure === 'not-permitted' ? null : (failure ?? null),
        answer:
          request.answer === null
            ? null
            : (JSON.parse(vault.unwrap('act answer', request.answer)) as Record<string, unknown>),
      }
    },

    /** @throws Refusal - `own-request`, `request-ended`, or `not-permitted` if the operator could not make the call */
    async approve(decision: Decision, by: Actor): Promise<ActRequestItem> {
      const request = await findToDecide(decision, by.operator)
      const { body, failure } = await check(request, by.operator)
      if (failure === 'not-permitted') throw new Refusal(failure)
      const { reason } = decision
      const approved = await decide(
        request,
        { state: 'running', kind: 'act-approved' },
        { reason, by },
      )
      // The approving operator must be allowed to perform the act too, even if the requester is.
      const ended = failure === undefined ? await perform(approved, body, by) : { failure }
      await end(approved, by, ended)
      return itemOf((await stores.actRequests.find(request.id)) ?? approved, by.operator)
    },

    /** @throws Refusal - `own-request`, `request-ended` */
    async decline(decision: Decision, by: Actor): Promise<ActRequestItem> {
      const request = await findToDecide(decision, by.operator)
      const { reason } = decision
      const to = { state: 'declined', kind: 'act-declined' } as const
      return itemOf(await decide(request, to, { reason, by }), by.operator)
    },

    /** @throws Refusal - `not-found` for a request of another operator, `request-ended` */
    async withdraw({ requestUuid, reason }: Decision, by: Actor): Promise<ActRequestItem> {
      const request = await findVisible(requestUuid, by.operator)
      const { requestedBy, requesterPerson } = request
      if (![requestedBy, requesterPerson].includes(by.operator.id)) throw new Refusal('not-found')
      const to = { state: 'withdrawn', kind: 'act-withdrawn' } as const
      return itemOf(await decide(request, to, { reason, by }), by.operator)
    },
  }
}

type Outcome = { readonly answer: unknown } | { readonly failure: ErrorCode }

/** The error code of a response that reports that nothing changed. */
function failureOf(answer: unknown): ErrorCode | undefined {
  const { outcome } = (answer ?? {}) as { readonly outcome?: unknown }
  if (outcome === 'conflict') return 'edit-outdated'
  return outcome === 'invalid' ? 'invalid-request' : undefined
}
