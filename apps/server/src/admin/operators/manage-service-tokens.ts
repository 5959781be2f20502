/**
 * Manages service tokens for `npm run service-token`, which creates the first token and serves installations administered by
 * scripts.
 */
import { createServiceToken } from '@portico/contracts/admin/operators'
import {
  ALL_ORGANIZATIONS,
  PERMISSIONS,
  PERSON_PERMISSIONS,
} from '@portico/contracts/admin/permissions'
import type { Parsed } from '@portico/contracts/call'
import { sentencesOf } from '@portico/contracts/error-catalog'
import { Refusal } from '@portico/contracts/errors'
import type { AuditSource } from '../../audit/audit.store.ts'
import type { Config } from '../../config.ts'
import { ConfigError } from '../../config-error.ts'
import { openExistingDatabase } from '../../database/database.ts'
import { inputErrors } from '../../http/input-errors.ts'
import { loadData } from '../../load-data.ts'
import { allStores } from '../../stores.ts'
import type { Operator } from './operators.ts'
import { serviceTokens } from './service-tokens.ts'

const ACTOR: { readonly operator: Operator; readonly visitor: AuditSource } = {
  operator: {
    kind: 'person',
    id: 'command line',
    name: 'command line',
    scopeOf: () => ({ all: true }),
    permissions: PERMISSIONS,
  },
  visitor: { network: 'operator', organization: { orgCode: ALL_ORGANIZATIONS } },
}

/**
 * Runs `work` with the service tokens of the configured database.
 *
 * @throws ConfigError - when there is no embedded database yet, or the server would refuse the change
 */
export async function withServiceTokens<Result>(
  config: Config,
  work: (tokens: {
    readonly create: (input: unknown) => Promise<{ token: string; expiresAt: number }>
    readonly list: () => ReturnType<ReturnType<typeof serviceTokens>['list']>
    readonly revoke: (tokenUuid: string, reason: string) => Promise<{ changed: boolean }>
  }) => Promise<Result>,
): Promise<Result> {
  const { organizations } = (await loadData(config)).brands
  const database = await openExistingDatabase(config)
  const tokens = serviceTokens({ stores: allStores(database), organizations, clock: Date.now })
  try {
    return await work({
      create: (input) => tokens.create(parseBody(input), ACTOR),
      list: () => tokens.list({}, ACTOR.operator),
      revoke: (tokenUuid, reason) => tokens.revoke({ tokenUuid, reason }, ACTOR),
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new ConfigError(
      error.code === 'not-permitted'
        ? [
            `An organization does not exist, or the permission is one of ${PERSON_PERMISSIONS.join(', ')}, which no token may have`,
          ]
        : sentencesOf(error),
    )
  } finally {
    await database.destroy()
  }
}

function parseBody(input: unknown): Parsed<(typeof createServiceToken)['body']> {
  const result = createServiceToken.body.safeParse(input)
  if (result.success) return result.data
  throw new ConfigError(inputErrors(result.error.issues))
}
