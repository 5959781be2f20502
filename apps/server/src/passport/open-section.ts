import { randomUUID } from 'node:crypto'
import { Refusal } from '@portico/contracts/errors'
import type { PassportSection } from '@portico/contracts/passport-sections'
import { isOpenForAnswers } from '@portico/rules/passport-transitions'
import type { Vault } from '../secrets/vault.ts'
import type { Stores } from '../stores.ts'
import type { PassportSectionRow } from './passport-sections.store.ts'
import type { PassportRow } from './passports.store.ts'
import { wrapAnswers } from './read-passport.ts'

/**
 * The stored section to change, or an empty one if nothing was saved yet. The caller has locked the passport.
 *
 * @throws Refusal - `passport-section-closed`
 */
export async function openSection(
  { passportSections }: Pick<Stores, 'passportSections'>,
  {
    passport,
    section,
    vault,
    at,
  }: { passport: PassportRow; section: PassportSection; vault: Vault; at: number },
): Promise<PassportSectionRow> {
  const row = await passportSections.find(passport.id, section)
  if (row === undefined) {
    return {
      id: randomUUID(),
      passportId: passport.id,
      organizationCode: passport.organizationCode,
      section,
      status: 'IN_PROGRESS',
      version: 0,
      answers: wrapAnswers(vault, {}),
      savedAt: at,
      submittedAt: null,
    }
  }
  if (!isOpenForAnswers(row.status)) throw new Refusal('passport-section-closed')
  return row
}
