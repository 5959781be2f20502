export const ENGINES = ['embedded', 'PostgreSQL'] as const

export type Engine = (typeof ENGINES)[number]

/** The email address of the n-th person. */
export const emailOf = (person: number) => `person.${person}@bench.example`

/** An expression for a new UUID. */
export const UUIDS: Readonly<Record<Engine, string>> = {
  embedded: `(lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || substr(lower(hex(randomblob(2))), 2)
        || '-8' || substr(lower(hex(randomblob(2))), 2) || '-' || lower(hex(randomblob(6))))`,
  PostgreSQL: 'gen_random_uuid()::text',
}
const EMAIL = `'person.' || i || '@bench.example'`

/**
 * Statements that fill a new installation: for each person an identity, its email alias, an ended session
 * and two audit events, as after one sign-in. Names are random, because sorted names would make
 * indexes look better than they are.
 */
export const SEEDS: Readonly<Record<Engine, (identities: number, hash: string) => string[]>> = {
  embedded: (identities, hash) =>
    statements({
      hash,
      uuid: UUIDS.embedded,
      people: `(with recursive people(i) as (select 0 union all select i + 1 from people where i < ${identities - 1}) select i from people)`,
      before: ['pragma journal_mode = off', 'pragma cache_size = -4000000', 'begin'],
      after: ['commit', 'pragma optimize', 'pragma journal_mode = wal'],
    }),
  PostgreSQL: (identities, hash) =>
    statements({
      hash,
      uuid: UUIDS.PostgreSQL,
      people: `generate_series(0, ${identities - 1}) as people(i)`,
      before: [],
      after: ['vacuum analyze'],
    }),
}

/** A relation `rows` with a row for each number `i` from `from` to before `to`. */
export const rowsOf = (engine: Engine, from: number, to: number): string =>
  engine === 'embedded'
    ? `(with recursive rows(i) as (select ${from} union all select i + 1 from rows where i < ${to - 1}) select i from rows) as rows`
    : `generate_series(${from}::bigint, ${to - 1}) as rows(i)`

/**
 * Statements that add submitted sections, one a millisecond before `begin`, most of them approved, with the answers of
 * the one passport that was created in the product; and the role of their reviewer.
 */
export function seedReviews(
  engine: Engine,
  { from, to, begin, reviewer }: { from: number; to: number; begin: number; reviewer: string },
): string[] {
  const uuid = UUIDS[engine]
  const rows = rowsOf(engine, from, to)
  return [
    `insert into identity_roles (identity_id, role, organization_code, created_at)
      select id, 'reviewer', 'FIGURE', ${begin} from identities where email = '${reviewer}' on conflict do nothing`,
    `insert into passports (id, structure_type, owner_wallet_address, creator_id, organization_code, created_at)
      select ${uuid}, 'INDIVIDUAL', 'bench-' || i, people.id, 'FIGURE', ${begin} - i from ${rows}
      join (select id, row_number() over (order by id) - 1 as n, count(*) over () as people from identities
        where email like '%@bench.example' and email != '${reviewer}') as people on people.n = i % people.people`,
    `insert into passport_sections (id, passport_id, organization_code, section, status, version, answers, saved_at, submitted_at)
      select ${uuid}, id, organization_code, 'kyc',
        case created_at % 10 when 0 then 'PENDING' when 1 then 'VALID_PENDING' when 2 then 'IN_PROGRESS' when 3 then 'DENIED' else 'VALID' end,
        1, (select min(answers) from passport_sections where version = 0), created_at, created_at
      from passports where owner_wallet_address like 'bench-%'
        and not exists (select 1 from passport_sections where passport_id = passports.id)`,
    engine === 'embedded' ? 'pragma optimize' : 'vacuum analyze',
  ]
}

function statements(parts: {
  readonly hash: string
  readonly uuid: string
  readonly people: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}): string[] {
  const { hash, uuid, people, before, after } = parts
  const now = Date.now()
  const then = now - 30 * 24 * 60 * 60 * 1000
  const seeded = `from identities where email like '%@bench.example'`
  return [
    ...before,
    `insert into identities (id, email, organization_code, profile_type, password_hash, created_at, updated_at)
      select ${uuid}, ${EMAIL}, 'FIGURE', 'CUSTOMER', '${hash}', ${then}, ${then} from ${people}`,
    `insert into aliases (id, identity_id, type, value, verified_at, created_at)
      select ${uuid}, id, 'Email', email, ${then}, ${then} ${seeded}`,
    `insert into sessions (id, identity_id, secret_hash, method, organization_code, network, user_agent, created_at, expires_at, ended_at)
      select ${uuid}, id, 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'password', 'FIGURE', '10.0.0.1', 'bench', ${now}, ${now}, ${now} ${seeded}`,
    ...['registered', 'signed-in'].map(
      (
        kind,
      ) => `insert into audit_events (id, created_at, kind, identity_id, organization_code, network, details)
        select ${uuid}, ${then}, '${kind}', id, 'FIGURE', '10.0.0.1', '{}' ${seeded}`,
    ),
    ...after,
  ]
}
