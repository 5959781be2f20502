import { lockPerson } from '@portico/contracts/admin/people'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../tests/support/temporary-folder.ts'
import { parseConfig } from '../../config.ts'
import { openDatabase } from '../../database/database.ts'
import type { Visitor } from '../../http/visitor.ts'
import { loadData } from '../../load-data.ts'
import { openVault } from '../../secrets/vault.ts'
import { allStores } from '../../stores.ts'
import type { Operator } from '../operators/operators.ts'
import { actRequests } from './act-requests.ts'

const AT = 1_800_000_000_000

test('15 the requester is notified of an act that was committed although its connection was lost', async () => {
  using folder = temporaryFolder()
  const config = parseConfig({ DATA_DIR: folder.path })
  const vault = openVault(config)
  await using database = await openDatabase(config)
  const stores = allStores(database)
  const { organizations } = (await loadData(config)).brands
  const organization = organizations.defaultOrganization
  const operatorOf = async (email: string): Promise<Operator> => ({
    kind: 'person',
    id: (await stores.identities.insert({ email, organizationCode: 'FIGURE', at: AT }))?.id ?? '',
    name: email,
    scopeOf: () => ({ all: true }),
    permissions: ['people.write'],
  })
  const requester = await operatorOf('sam@lender.example')
  const second = await operatorOf('ada@lender.example')
  const visitor = { network: '192.0.2.1', organization } as Visitor // What the audit log reads.
  const mails: string[] = []
  const requests = actRequests({
    stores,
    operators: { find: async () => requester },
    vault,
    clock: () => AT,
    outbox: { add: async (_, { to, subject }) => void mails.push(`${to}: ${subject}`) },
    organizations,
    senderOf: () => ({ organization, pagesOrigin: 'https://login.lender.example' }),
    needed: ['lockPerson'],
  })
  requests.add(lockPerson, {
    check: async () => ({ name: 'lars@lender.example', organizationCodes: ['FIGURE'] }),
    async perform({ operator }) {
      await stores.audit.record('person-locked', { identityId: null, at: AT, operator }, visitor)
      throw new Error('Connection terminated')
    },
  })
  const body = { identityUuid: crypto.randomUUID(), reason: 'Asked by letter.' }
  const subject = { name: 'lars@lender.example', organizationCodes: ['FIGURE'] }
  const by = { operator: requester, visitor }
  const { requestUuid } = await requests.submit({ call: lockPerson, body, subject }, by)
  const approval = requests.approve(
    { requestUuid, reason: 'Checked.' },
    { operator: second, visitor },
  )
  await expect(approval).rejects.toThrow('Connection terminated')
  expect((await requests.read(requestUuid, requester)).state).toBe('done')
  expect(mails).toEqual(['sam@lender.example: Your request was approved'])
})
