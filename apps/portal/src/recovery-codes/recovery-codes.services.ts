import type { Client } from '@portico/client/client'
import { makeRecoveryCodes } from '@portico/contracts/account-security'
import type { Services } from '@portico/flow'
import { failureOf } from '@portico/shell/failure-of'
import type { Environment } from '../environment.ts'
import type { Command, Event, Result } from './recovery-codes.flow.ts'

export interface RecoveryCodesDeps extends Pick<Environment, 'copy' | 'download'> {
  readonly client: Client
  readonly company: string
  readonly onResult: (result: Result) => void
}

export function recoveryCodesServices(deps: RecoveryCodesDeps): Services<Event, Command> {
  const { client, company, copy, download, onResult } = deps
  return {
    async make() {
      try {
        const { codes } = await client(makeRecoveryCodes, {})
        return { type: 'made', codes }
      } catch (error) {
        return { type: 'refused', failure: failureOf(error) }
      }
    },
    copy: async ({ codes }) => ({ type: 'copied', copied: await copy(lines(codes)) }),
    download: ({ codes }) =>
      download(
        'recovery-codes.txt',
        `Recovery codes for ${company}. Each works once.\r\n\r\n${lines(codes)}`,
      ),
    returnResult: ({ result }) => onResult(result),
  }
}

// CRLF, which every text editor displays correctly.
const lines = (codes: readonly string[]) => codes.map((code) => `${code}\r\n`).join('')
