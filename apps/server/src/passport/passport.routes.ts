import type { Call } from '@portico/contracts/call'
import {
  createPassport,
  invitePassportMember,
  joinPassport,
  readCreatorPassport,
  readCreatorPassportStatus,
  readPassport,
  readPassportStatus,
  removePassportMember,
  reopenPassportSection,
  savePassportSection,
  submitPassport,
} from '@portico/contracts/passport'
import {
  completePassportFile,
  createPassportFile,
  downloadPassportFile,
  readPassportFile,
  removePassportFile,
  sendPassportFilePart,
} from '@portico/contracts/passport-files'
import { decideReview, readReview, readReviewQueue } from '@portico/contracts/passport-review'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import type { FileStorage } from '../file-storage/file-storage.ts'
import { COSTLY } from '../http/rate-limits.ts'
import {
  type Answer,
  type Edge,
  type Exchange,
  type RateLimitRule,
  serve,
  serveDownload,
} from '../http/serve.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { passportCreation } from './create-passport.ts'
import { passportForms } from './fill-in-passport.ts'
import { passportFiles } from './passport-files.ts'
import type { PassportGroups } from './passport-groups.ts'
import { passportMembers } from './passport-members.ts'
import { passportReader } from './read-passport.ts'
import { passportReviews } from './review-passport.ts'

/** The passport that a request names. */
const Named = z.object({ passportUuid: z.optional(z.string()), fileUuid: z.optional(z.string()) })

/** Routes for the investor passport (§7.6). */
export function passport(
  edge: Edge,
  deps: {
    readonly stores: AllStores
    readonly organizations: Organizations
    readonly vault: Vault
    readonly clock: Clock
    readonly outbox: Outbox
    readonly storage: FileStorage
    readonly log: Logger
    readonly groups: PassportGroups
  },
): void {
  const { groups } = deps
  /** Serves a call after the user's groups were compared with the chain. */
  const serveCurrent = <C extends Call & { readonly auth: 'session' }>(
    call: C,
    useCase: (exchange: Exchange<C>) => Promise<Answer<C>>,
    rule?: RateLimitRule,
  ) =>
    serve(
      edge,
      call,
      async (exchange) => {
        const { query, body, session } = exchange as Exchange<Call & { readonly auth: 'session' }>
        const refresh = call.method === 'GET' ? groups.refreshForRead : groups.refreshForChange
        await refresh(session, Named.safeParse(query ?? body).data)
        return useCase(exchange)
      },
      rule,
    )
  const reader = passportReader(deps)
  const create = passportCreation(deps)
  const forms = passportForms(deps)
  const members = passportMembers(deps)
  const reviews = passportReviews(deps)
  const files = passportFiles(deps)

  serveCurrent(readPassport, ({ query, session, visitor }) =>
    reader.read(query.passportUuid, session, visitor),
  )
  serveCurrent(readPassportStatus, ({ query, session }) =>
    reader.readStatus(query.passportUuid, session),
  )
  serveCurrent(readCreatorPassport, ({ session }) => reader.list(session))
  serveCurrent(readCreatorPassportStatus, ({ session }) => reader.listStatuses(session))
  serveCurrent(createPassport, ({ body, session, visitor }) =>
    create(body.passportStructureType, session, visitor),
  )
  serveCurrent(savePassportSection, ({ body, session }) => forms.save(body, session))
  serveCurrent(reopenPassportSection, ({ body, session, visitor }) =>
    forms.reopen(body, session, visitor),
  )
  serveCurrent(submitPassport, ({ body, session, visitor }) => forms.submit(body, session, visitor))
  serveCurrent(
    invitePassportMember,
    ({ body, session, visitor }) => members.invite(body, session, visitor),
    COSTLY,
  )
  serveCurrent(removePassportMember, ({ body, session, visitor }) =>
    members.remove(body, session, visitor),
  )
  serveCurrent(joinPassport, ({ body, session, visitor }) =>
    members.join(body.passportUuid, session, visitor),
  )
  serveCurrent(readReviewQueue, ({ query, session, visitor }) =>
    reviews.readQueue(query, session, visitor),
  )
  serveCurrent(readReview, ({ query, session, visitor }) => reviews.read(query, session, visitor))
  serveCurrent(decideReview, ({ body, session, visitor }) => reviews.decide(body, session, visitor))
  serveCurrent(createPassportFile, ({ body, session }) => files.create(body, session), COSTLY)
  serveCurrent(readPassportFile, ({ query, session }) => files.read(query.fileUuid, session))
  serveCurrent(sendPassportFilePart, ({ query, body: content, headers, session }) => {
    const digest = headers['content-digest']?.toString()
    return files.addPart({ ...query, content, digest }, session)
  })
  serveCurrent(
    completePassportFile,
    ({ body, session, visitor }) => files.complete(body.fileUuid, session, visitor),
    COSTLY,
  )
  serveCurrent(removePassportFile, ({ body, session, visitor }) =>
    files.remove(body.fileUuid, session, visitor),
  )
  serveDownload(edge, downloadPassportFile, async ({ query, session, visitor }) => {
    await groups.refreshForRead(session, query)
    return files.download(query.fileUuid, session, visitor)
  })
}
