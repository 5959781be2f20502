import { savePassportSection, submitPassport } from '@portico/contracts/passport'
import type { Services } from '@portico/flow'
import { withRefusals } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event } from './fill-in.flow.ts'

export function fillInServices({
  client,
  passportUuid,
}: Pick<Environment, 'client'> & { readonly passportUuid: string }): Services<Event, Command> {
  return withRefusals<Event, Command>({
    // Not aborted: what was sent is saved, even if the page is left.
    async save({ section, version, changes }) {
      const body = { passportUuid, section, version, changes: { ...changes } }
      const answer = await client(savePassportSection, { body })
      return { type: answer.isSaved ? 'saved' : 'changedElsewhere', section: answer.section }
    },
    async submit({ sections }) {
      await client(submitPassport, { body: { passportUuid, sections: [...sections] } })
      return { type: 'submitted' }
    },
  })
}
