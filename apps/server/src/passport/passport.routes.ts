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
import type { Organizations } from '../brands/brands.ts'
import type { Clock } from '../clock.ts'
import type { FileStorage } from '../file-storage/file-storage.ts'
import { COSTLY } from '../http/rate-limits.ts'
import { type Edge, serve, serveDownload } from '../http/serve.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Vault } from '../secrets/vault.ts'
import type { AllStores } from '../stores.ts'
import { passportCreation } from './create-passport.ts'
import { passportForms } from './fill-in-passport.ts'
import { passportFiles } from './passport-files.ts'
import { passportMembers } from './passport-members.ts'
import { passportReader } from './read-passport.ts'
import { passportReviews } from './review-passport.ts'

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
  },
): void {
  const reader = passportReader(deps)
  const create = passportCreation(deps)
  const forms = passportForms(deps)
  const members = passportMembers(deps)
  const reviews = passportReviews(deps)
  const files = passportFiles(deps)

  serve(edge, readPassport, ({ query, session, visitor }) =>
    reader.read(query.passportUuid, session, visitor),
  )
  serve(edge, readPassportStatus, ({ query, session }) =>
    reader.readStatus(query.passportUuid, session),
  )
  serve(edge, readCreatorPassport, ({ session }) => reader.list(session))
  serve(edge, readCreatorPassportStatus, ({ session }) => reader.listStatuses(session))
  serve(edge, createPassport, ({ body, session, visitor }) =>
    create(body.passportStructureType, session, visitor),
  )
  serve(edge, savePassportSection, ({ body, session }) => forms.save(body, session))
  serve(edge, reopenPassportSection, ({ body, session, visitor }) =>
    forms.reopen(body, session, visitor),
  )
  serve(edge, submitPassport, ({ body, session, visitor }) => forms.submit(body, session, visitor))
  serve(
    edge,
    invitePassportMember,
    ({ body, session, visitor }) => members.invite(body, session, visitor),
    COSTLY,
  )
  serve(edge, removePassportMember, ({ body, session, visitor }) =>
    members.remove(body, session, visitor),
  )
  serve(edge, joinPassport, ({ body, session, visitor }) =>
    members.join(body.passportUuid, session, visitor),
  )
  serve(edge, readReviewQueue, ({ query, session, visitor }) =>
    reviews.readQueue(query, session, visitor),
  )
  serve(edge, readReview, ({ query, session, visitor }) => reviews.read(query, session, visitor))
  serve(edge, decideReview, ({ body, session, visitor }) => reviews.decide(body, session, visitor))
  serve(edge, createPassportFile, ({ body, session }) => files.create(body, session), COSTLY)
  serve(edge, readPassportFile, ({ query, session }) => files.read(query.fileUuid, session))
  serve(edge, sendPassportFilePart, ({ query, body: content, headers, session }) => {
    const digest = headers['content-digest']?.toString()
    return files.addPart({ ...query, content, digest }, session)
  })
  serve(
    edge,
    completePassportFile,
    ({ body, session, visitor }) => files.complete(body.fileUuid, session, visitor),
    COSTLY,
  )
  serve(edge, removePassportFile, ({ body, session, visitor }) =>
    files.remove(body.fileUuid, session, visitor),
  )
  serveDownload(edge, downloadPassportFile, ({ query, session, visitor }) =>
    files.download(query.fileUuid, session, visitor),
  )
}
