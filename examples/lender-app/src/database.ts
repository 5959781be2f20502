/** The application's own database: loans, payments, sessions and received webhooks. */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SCHEMA = `
create table if not exists secrets (name text primary key, value text not null);
create table if not exists sessions (
  id text primary key, sid text not null, value text not null, expires_at integer not null,
  refreshing_until integer not null default 0
);
create index if not exists sessions_sid on sessions (sid);
create table if not exists installments (
  sub text not null, number integer not null, due_on text not null, cents integer not null, paid_at integer,
  primary key (sub, number)
);
create table if not exists events (
  id text primary key, sub text, type text not null, happened_at text not null
);
create index if not exists events_sub on events (sub, happened_at);
`

const INSTALLMENTS = 24
const PAID_BEFORE = 3
const INSTALLMENT_CENTS = 41_250

/** One payment of a loan. */
export interface Installment {
  readonly number: number
  /** An ISO date. */
  readonly dueOn: string
  readonly cents: number
  /** Milliseconds since 1970; null if unpaid. */
  readonly paidAt: number | null
}

/** An event that Portico sent. */
export interface ReceivedEvent {
  readonly id: string
  readonly type: string
  /** An ISO time. */
  readonly happenedAt: string
}

export function openDatabase(file: string) {
  mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal')
  database.exec(SCHEMA)

  return {
    connection: database,

    /** A random secret, created at the first start. */
    secret(name: string): string {
      database
        .prepare('insert into secrets values (?, ?) on conflict do nothing')
        .run(name, randomBytes(32).toString('base64'))
      const row = database.prepare('select value from secrets where name = ?').get(name)
      return String(row?.['value'])
    },

    /** The user's loan, created at the first visit. */
    listInstallments(sub: string): readonly Installment[] {
      const insert = database.prepare(
        'insert into installments values (?, ?, ?, ?, ?) on conflict do nothing',
      )
      const list = database.prepare(
        'select number, due_on as dueOn, cents, paid_at as paidAt from installments where sub = ? order by number',
      )
      if (list.get(sub) === undefined) {
        for (let number = 1; number <= INSTALLMENTS; number += 1) {
          const due = monthFromNow(number - PAID_BEFORE)
          const paidAt = number <= PAID_BEFORE ? due.getTime() : null
          insert.run(sub, number, due.toISOString().slice(0, 10), INSTALLMENT_CENTS, paidAt)
        }
      }
      return list.all(sub) as unknown as Installment[] // The query's columns.
    },

    /** Pays an installment unless it is already paid. Of two simultaneous requests, one pays. */
    payInstallment(sub: string, number: number): boolean {
      const { changes } = database
        .prepare(
          'update installments set paid_at = ? where sub = ? and number = ? and paid_at is null',
        )
        .run(Date.now(), sub, number)
      return changes === 1
    },

    /** Stores a webhook unless its ID is already stored. */
    insertEvent(event: ReceivedEvent & { readonly sub: string | null }): void {
      database
        .prepare('insert into events values (?, ?, ?, ?) on conflict do nothing')
        .run(event.id, event.sub, event.type, event.happenedAt)
    },

    listEvents: (sub: string): readonly ReceivedEvent[] =>
      database
        .prepare(
          'select id, type, happened_at as happenedAt from events where sub = ? order by happened_at desc, type limit 50',
        )
        .all(sub) as unknown as ReceivedEvent[], // The query's columns.
  }
}

export type Database = ReturnType<typeof openDatabase>

/** The first day of a month. */
function monthFromNow(months: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
}
