import { Refusal } from '@portico/contracts/errors'

/** @throws Refusal - `invalid-request` for a text that no page returned */
export function parsePlace(text: string): { readonly createdAt: number; readonly id: string } {
  const [, createdAt, id] = /^(\d{1,15})\.([\da-f-]{36})$/.exec(text) ?? []
  if (createdAt === undefined || id === undefined) throw new Refusal('invalid-request')
  return { createdAt: Number(createdAt), id }
}
