import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { OrganizationFile } from '@portico/contracts/organization-file'
import { ROOT } from '../tools/setup/processes.mjs'

/** A configuration folder with very many lenders. */
export type ManyOrganizations = Disposable & { readonly path: string }

/** Copies the shipped lenders, each with its logo, until there are enough. */
export function manyOrganizations(count: number): ManyOrganizations {
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-lenders-'))
  cpSync(path.join(ROOT, 'config'), folder, { recursive: true })
  const shipped = readdirSync(path.join(folder, 'organizations')).map(
    (name) =>
      JSON.parse(
        readFileSync(path.join(folder, 'organizations', name), 'utf8'),
      ) as OrganizationFile,
  )
  const lenders = shipped.filter(({ companyInfo }) => companyInfo.logoPath !== undefined)
  for (let index = shipped.length; index < count; index += 1) {
    const lender = lenders[index % lenders.length]
    if (lender === undefined) throw new Error('No lender ships that could be copied')
    const { logoPath = '' } = lender.companyInfo
    const name = `lender-${index}`
    cpSync(
      path.join(folder, 'logos', path.basename(logoPath)),
      path.join(folder, `logos/${name}.svg`),
    )
    writeFileSync(
      path.join(folder, `organizations/${name}.json`),
      JSON.stringify({
        ...lender,
        orgCode: `LENDER_${index}`,
        canonicalOrgCode: undefined,
        orgBrand: name,
        hosts: [`${name}.lender.example`],
        companyInfo: { ...lender.companyInfo, logoPath: `/brand/${name}.svg` },
      }),
    )
  }
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
