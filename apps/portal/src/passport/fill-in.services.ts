import { ApiError } from '@portico/client/api-error'
import {
  reopenPassportSection,
  savePassportSection,
  submitPassport,
} from '@portico/contracts/passport'
import type { PassportSection } from '@portico/contracts/passport-sections'
import type { Services } from '@portico/flow'
import { withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './fill-in.flow.ts'

/** Reopens a section for answers, unless another tab or an earlier attempt already has. */
export async function reopenSection(
  client: Environment['client'],
  body: { readonly passportUuid: string; readonly section: PassportSection },
  signal: AbortSignal,
): Promise<void> {
  try {
    await client(reopenPassportSection, { body, signal })
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== 'passport-section-open') throw error
  }
}

export function fillInServices({
  client,
  passportUuid,
}: Pick<Environment, 'client'> & { readonly passportUuid: string }): Services<Event, Command> {
  return withRefusals<Event, Command>({
    // Neither aborted nor ended with the document, so that sent answers are saved even if the user leaves the page.
    async save({ section, version, changes }) {
      const body = { passportUuid, section, version, changes: { ...changes } }
      const answer = await client(savePassportSection, { body, keepalive: true })
      return { type: answer.isSaved ? 'saved' : 'changedElsewhere', section: answer.section }
    },
    async submit({ sections }) {
      await client(submitPassport, { body: { passportUuid, sections: [...sections] } })
      return { type: 'submitted' }
    },
  })
}
