import { randomUUID } from 'node:crypto'
import { parseConfig } from '@portico/server/config'
import { scimToken } from '@portico/server/scim-token'
import { type Figure, figure, latencyFigure, perSecond } from './figure.ts'
import { type LoadOutcome, putLoad, wireRequest } from './load.ts'
import { emptyRequests } from './requests.ts'
import { aSite, emptyServer } from './sites.ts'
import type { Spread } from './spread.ts'
import { megabytes, memoryOf } from './start-figures.ts'

const PEOPLE = 100_000
const FEW = 1000
/** Requests of one load; each load is sent in one message to its process. */
const BATCH = 10_000
/** A directory sends several requests at the same time. */
const CONNECTIONS = 16
const PAGE = 200
const MEMBERS_AT_ONCE = 1000
const LOOKUPS = 1000
const CHANGES = 200
const PAGES_READ = 100
const ON = 'embedded'
/** The demonstration's provider of customers. */
const PROVIDER = '5d3f0c52-8f0e-4c5e-9a51-6f1d2a7c0b01'

/** A directory of 100,000 people, sent and searched by SCIM. */
export async function scimFigures(rounds: number): Promise<Figure[]> {
  await using site = await aSite('embedded', 1)
  const token = await scimToken(parseConfig({ ...site.environment }), PROVIDER)
  await using product = await site.serve()
  await using empty = await emptyServer()
  const { port } = product
  const wire = (path: string, method = 'GET', body?: unknown) =>
    wireRequest({
      method,
      path: `/scim/v2${path}`,
      port,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    })
  const send = (requests: readonly string[], connections = CONNECTIONS, keep = false) =>
    putLoad({ port, requests, connections, keep })
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => from + index)

  const newUsers = (from: number, count: number) =>
    numbers(from, count).map((index) => wire('/Users', 'POST', userOf(index)))
  const searches = (by: 'userName' | 'externalId', people: number) =>
    numbers(0, LOOKUPS).map((index) => {
      const user = userOf((index * 7919) % people)
      return wire(`/Users?filter=${encodeURIComponent(`${by} eq "${user[by]}"`)}`)
    })
  const search = async (by: 'userName' | 'externalId', people: number) =>
    inRounds(rounds, async () => (await send(searches(by, people), 1)).latency)
  const pageOf = (startIndex: number) => `/Users?startIndex=${startIndex}&count=${PAGE}`
  const list = (people: number) =>
    inRounds(rounds, async () => {
      const last = people - PAGE + 1
      return (
        await send(
          Array.from({ length: PAGES_READ }, () => wire(pageOf(last))),
          1,
        )
      ).latency
    })

  const memory = { before: memoryOf(product.pid), after: 0 }
  await send(newUsers(0, FEW))
  const few = {
    userName: await search('userName', FEW),
    externalId: await search('externalId', FEW),
    list: await list(FEW),
  }
  const group = await addGroup(send, wire)
  const [member = ''] = await idsOf(send, [wire(pageOf(1))])
  const emptyGroup = await changes(group, member)

  const provisioned: LoadOutcome[] = []
  for (let from = FEW; from < PEOPLE; from += BATCH) {
    provisioned.push(await send(newUsers(from, Math.min(BATCH, PEOPLE - from))))
  }
  const [alike = ''] = newUsers(0, 1)
  const bare = await putLoad({
    port: empty.port,
    requests: Array.from({ length: BATCH }, () => emptyRequests(empty.port, alike)).flat(),
    connections: CONNECTIONS,
  })
  const many = {
    userName: await search('userName', PEOPLE),
    externalId: await search('externalId', PEOPLE),
    list: await list(PEOPLE),
  }
  const ids = await idsOf(
    send,
    numbers(0, PEOPLE / PAGE).map((page) => wire(pageOf(page * PAGE + 1))),
  )
  if (new Set(ids).size !== PEOPLE) throw new Error('The pages do not list everyone once')
  for (let from = 0; from < PEOPLE; from += MEMBERS_AT_ONCE) {
    const value = ids.slice(from, from + MEMBERS_AT_ONCE).map((id) => ({ value: id }))
    await send([wire(`/Groups/${group}`, 'PATCH', patch({ op: 'Add', path: 'members', value }))], 1)
  }
  const fullGroup = await changes(group, member)
  memory.after = memoryOf(product.pid)

  const seconds = provisioned.reduce((sum, outcome) => sum + outcome.seconds, 0)
  const rate = ({ sent, seconds: each }: LoadOutcome) => sent / each
  const people = '100,000 people; with 1,000'
  return [
    figure({
      figure: 'People added by SCIM, 16 at a time, 99,000 of them; an empty route',
      on: ON,
      ours: [(PEOPLE - FEW) / seconds],
      baseline: [rate(bare)],
      write: perSecond,
    }),
    figure({
      figure: 'The last 10,000 of 100,000 people added by SCIM; the first',
      on: ON,
      ours: provisioned.slice(-1).map(rate),
      baseline: provisioned.slice(0, 1).map(rate),
      write: perSecond,
    }),
    ...(['userName', 'externalId'] as const).map((by) =>
      latencyFigure({
        figure: `Search by ${by}, p50 / p95 / p99, ${people}`,
        on: ON,
        ours: many[by],
        baseline: few[by],
      }),
    ),
    latencyFigure({
      figure: `The last page of 200 people, p50 / p95 / p99, ${people}`,
      on: ON,
      ours: many.list,
      baseline: few.list,
    }),
    latencyFigure({
      figure:
        'One member added to or removed from a group of 100,000, p50 / p95 / p99; from an empty one',
      on: ON,
      ours: fullGroup,
      baseline: emptyGroup,
    }),
    figure({
      figure: 'Memory after 100,000 people and a group of all; before',
      on: ON,
      ours: [memory.after],
      baseline: [memory.before],
      write: megabytes,
    }),
  ]

  /** Times of removals and additions of one member, in turn. */
  function changes(groupId: string, value: string): Promise<Spread[]> {
    const requests = numbers(0, CHANGES).map((index) =>
      wire(
        `/Groups/${groupId}`,
        'PATCH',
        patch(
          index % 2 === 0
            ? { op: 'remove', path: `members[value eq "${value}"]` }
            : { op: 'Add', path: 'members', value: [{ value }] },
        ),
      ),
    )
    return inRounds(rounds, async () => (await send(requests, 1)).latency)
  }
}

type Send = (
  requests: readonly string[],
  connections?: number,
  keep?: boolean,
) => Promise<LoadOutcome>

async function inRounds<Result>(rounds: number, once: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let round = 0; round < rounds; round += 1) results.push(await once())
  return results
}

async function addGroup(
  send: Send,
  wire: (path: string, method: string, body: unknown) => string,
): Promise<string> {
  const { answers } = await send([wire('/Groups', 'POST', { displayName: 'Everyone' })], 1, true)
  return (JSON.parse(answers[0]?.body ?? '') as { id: string }).id
}

/** The IDs of the users that pages list. */
async function idsOf(send: Send, pages: readonly string[]): Promise<string[]> {
  const { answers } = await send(pages, CONNECTIONS, true)
  return answers.flatMap(({ body }) =>
    (JSON.parse(body) as { Resources: { id: string }[] }).Resources.map(({ id }) => id),
  )
}

const directory = randomUUID()

/** A person as Entra ID sends them. */
function userOf(index: number) {
  const userName = `person.${index}@bench.example`
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    externalId: `${directory}-${index}`,
    userName,
    active: true,
    displayName: `Person ${index}`,
    emails: [{ primary: true, type: 'work', value: userName }],
    name: { givenName: 'Person', familyName: `${index}` },
  }
}

const patch = (operation: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [operation],
})
