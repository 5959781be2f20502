import * as calls from '@portico/contracts/admin/organizations'
import type { Permission } from '@portico/contracts/admin/permissions'
import { Refusal } from '@portico/contracts/errors'
import { isInScope } from '@portico/rules/operator-permissions'
import { SAMPLE_MAILS } from '../../mail/sample-mails.ts'
import { type AdminEdge, type Operator, serveAct, serveAdmin } from '../serve-admin.ts'
import { type EditDeps, type Editor, organizationEdits } from './edit-organization.ts'
import { mailInScheme, previewCss, previewPage } from './preview-brand.ts'
import { organizationReader } from './read-organization.ts'
import { organizationTransfer } from './transfer-organization.ts'

/** Routes for editing organizations. */
export function adminOrganizations(edge: AdminEdge, deps: EditDeps): void {
  const edits = organizationEdits(deps)
  const parts = { ...deps, edits }
  const reading = organizationReader(parts)
  const transfers = organizationTransfer(parts)

  const isAllowed = (operator: Operator, permission: Permission, orgCode: string) =>
    isInScope(operator.scopeOf(permission), orgCode)

  /** @throws Refusal - `not-found`, both for organizations outside the scope and for unknown ones */
  async function assertAllowed(
    operator: Operator,
    permission: Permission,
    orgCode: string,
    { isNew = false } = {},
  ): Promise<void> {
    const known = isNew || (await reading.isKnown(orgCode))
    if (!known || !isAllowed(operator, permission, orgCode)) throw new Refusal('not-found')
  }

  /** An act for operators who may publish the organization. */
  const publication = <Body extends { readonly orgCode: string }, Result, Refused>({
    check,
    perform,
  }: {
    readonly check: (body: Body, editor: Editor) => Promise<Refused | undefined>
    readonly perform: (body: Body, editor: Editor) => Promise<Result>
  }) => ({
    async check(body: Body, operator: Operator) {
      await assertAllowed(operator, 'organizations.publish', body.orgCode)
      const answer = await check(body, editorOf(operator, NO_NETWORK))
      return answer === undefined ? subjectOf(body) : { answer }
    },
    async perform({
      body,
      operator,
      visitor,
    }: {
      readonly body: Body
      readonly operator: Operator
      readonly visitor: { readonly network: string }
    }) {
      await assertAllowed(operator, 'organizations.publish', body.orgCode)
      return perform(body, editorOf(operator, visitor))
    },
  })

  serveAdmin(edge, calls.listOrganizations, ({ query, operator }) =>
    reading.list({
      ...query,
      isAllowed: (orgCode) => isAllowed(operator, 'organizations.read', orgCode),
    }),
  )
  serveAdmin(edge, calls.readOrganization, async ({ query: { orgCode }, operator }) => {
    await assertAllowed(operator, 'organizations.read', orgCode)
    return reading.read(orgCode)
  })
  serveAdmin(edge, calls.readOrganizationHistory, async ({ query, operator }) => {
    await assertAllowed(operator, 'organizations.read', query.orgCode)
    return reading.readHistory(query.orgCode, query.after)
  })
  serveAdmin(edge, calls.saveOrganizationDraft, async ({ body, operator, visitor }) => {
    await assertAllowed(operator, 'organizations.write', body.orgCode, { isNew: true })
    return edits.saveDraft(body, editorOf(operator, visitor))
  })
  serveAdmin(edge, calls.validateOrganization, async ({ body, operator }) => {
    await assertAllowed(operator, 'organizations.read', body.orgCode, { isNew: true })
    return { errors: await edits.validate(body) }
  })
  serveAdmin(edge, calls.previewOrganization, async ({ body, operator, visitor }) => {
    const { orgCode, scheme, mail } = body
    await assertAllowed(operator, 'organizations.read', orgCode, { isNew: true })
    const { errors, brands } = await edits.check(body)
    const organization = brands?.organizations.withCode(orgCode)
    if (brands === undefined || organization === undefined) {
      return { brand: null, mail: null, errors }
    }
    const { linkOrigin: origin } = visitor
    const sample = mail && SAMPLE_MAILS[mail]({ organization, pagesOrigin: origin })
    return {
      brand: {
        name: organization.companyInfo.name,
        page: previewPage(brands, organization, { origin, scheme }),
        css: previewCss(brands, organization),
      },
      mail: sample
        ? {
            subject: sample.subject,
            html: mailInScheme(sample.html, scheme),
            text: sample.text,
          }
        : null,
      errors,
    }
  })
  serveAdmin(edge, calls.submitOrganizationDraft, async ({ body, operator, visitor }) => {
    await assertAllowed(operator, 'organizations.write', body.orgCode)
    return { draft: await edits.submitDraft(body, editorOf(operator, visitor)) }
  })
  serveAdmin(edge, calls.discardOrganizationDraft, async ({ body, operator, visitor }) => {
    await assertAllowed(operator, 'organizations.write', body.orgCode)
    await edits.discardDraft(body, editorOf(operator, visitor))
  })
  serveAct(
    edge,
    calls.publishOrganization,
    publication({ check: edits.checkPublication, perform: edits.publish }),
  )
  serveAct(
    edge,
    calls.undoOrganization,
    publication({ check: edits.checkUndo, perform: edits.undo }),
  )
  serveAdmin(edge, calls.exportOrganization, async ({ query: { orgCode }, operator }) => {
    await assertAllowed(operator, 'organizations.read', orgCode)
    return { files: await transfers.exportFiles(orgCode) }
  })
  serveAdmin(edge, calls.importOrganizations, async ({ body, operator, visitor }) => ({
    items: await transfers.importFiles(body.files, editorOf(operator, visitor), (orgCode) =>
      isAllowed(operator, 'organizations.write', orgCode),
    ),
  }))
  serveAdmin(
    edge,
    calls.uploadOrganizationPicture,
    async ({ query: { orgCode, type }, body, operator, visitor }) => {
      await assertAllowed(operator, 'organizations.write', orgCode, { isNew: true })
      const bytes = Buffer.from(body)
      return edits.storePicture({ orgCode, type, bytes }, editorOf(operator, visitor))
    },
    UPLOADS,
  )
}

/** Uploaded images are never deleted, so their number is limited. */
const UPLOADS = { allowed: 60, windowMs: 60 * 60 * 1000 }

/** Calls that only read are not audited, so no address is needed. */
const NO_NETWORK = { network: '' }

const subjectOf = ({ orgCode }: { readonly orgCode: string }) => ({
  name: orgCode,
  organizationCodes: [orgCode],
})

function editorOf(
  { id, name, scopeOf, approval }: Operator,
  { network }: { readonly network: string },
): Editor {
  return {
    id,
    name,
    network,
    scope: scopeOf('organizations.write'),
    ...(approval && { approval }),
  }
}
