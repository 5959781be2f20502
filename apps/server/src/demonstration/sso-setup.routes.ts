/**
 * Lets visitors of the demonstration set up single sign-on: a setup link, the provider's values, and DNS records, which the
 * demonstration serves for names under `.example`.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSetupLink, type SetupLinkDeps } from '../broker/setup/create-setup-link.ts'
import type { ResolveTxt } from '../broker/setup/resolve-txt.ts'
import { escapeHtml } from '../escape-html.ts'
import { assertSameOrigin } from '../http/csrf.ts'
import type { Edge } from '../http/serve.ts'
import { DEMONSTRATION_PEOPLE } from './people.ts'
import { IDP_PATH, NEW_PROVIDER, SAML_IDP_PATH } from './providers.ts'

const LINK_PATH = '/dev/sso-setup/link'
const RECORD_PATH = '/dev/sso-setup/record'
const ADMINISTRATOR = `administrator@${NEW_PROVIDER.domain}`
const MAX_RECORDS = 100
const MAX_LENGTH = 300

/** Handles the mailbox page's forms. Returns a resolver for the demonstration's DNS records. */
export function demonstrationSetup(edge: Edge, deps: SetupLinkDeps): ResolveTxt {
  const records = new Map<string, string>()
  const mailLink = createSetupLink(deps)

  void edge.app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    const visitorOf = (request: FastifyRequest, reply: FastifyReply) => {
      const visitor = edge.visitor(request, reply)
      assertSameOrigin(request, visitor.origin)
      return visitor
    }
    forms.post(LINK_PATH, async (request, reply) => {
      const sender = visitorOf(request, reply).senderTo(NEW_PROVIDER.organizationCode)
      await mailLink(sender, { userType: NEW_PROVIDER.userType, email: ADMINISTRATOR })
      return reply.redirect('/dev/mailbox', 303)
    })
    forms.post(RECORD_PATH, async (request, reply) => {
      visitorOf(request, reply)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const [name = '', value = ''] = ['name', 'value'].map((field) =>
        (form.get(field) ?? '').trim().slice(0, MAX_LENGTH),
      )
      const [oldest] = records.keys()
      if (oldest !== undefined && records.size >= MAX_RECORDS) records.delete(oldest)
      records.set(name.toLowerCase(), value)
      return reply.redirect('/dev/mailbox#sso-setup', 303)
    })
  })

  return async (name) => {
    const found = records.get(name)
    return found === undefined ? [] : [found]
  }
}

/** The section of the mailbox page. */
export function setupSection(linkOrigin: string): string {
  const person = DEMONSTRATION_PEOPLE.find(({ provider }) => provider === NEW_PROVIDER.clientId)
  const values = [
    ['Product', 'Another provider'],
    ['OpenID Connect: issuer', `${linkOrigin}${IDP_PATH}`],
    ['OpenID Connect: client ID', NEW_PROVIDER.clientId],
    ['OpenID Connect: client secret', NEW_PROVIDER.clientSecret],
    [
      'SAML: address of the metadata',
      `${linkOrigin}${SAML_IDP_PATH}/${NEW_PROVIDER.clientId}/metadata`,
    ],
    ['Domain', NEW_PROVIDER.domain],
    ['Who signs in', `${person?.email ?? ''}, ${person?.password ?? ''}`],
  ] as const
  return `<h2 id="sso-setup">Set up single sign-on</h2>
<p>As the administrator of Cedar Point you connect your identity provider yourself.</p>
<form method="post" action="${LINK_PATH}"><button>Mail me the setup link</button></form>
<p>At the provider you would find these values:</p>
<div class="scroll" tabindex="0" role="region" aria-label="Values of the provider"><table><tbody>
${values.map(([name, value]) => `<tr><th scope="row">${name}</th><td><code>${escapeHtml(value)}</code></td></tr>`).join('\n')}
</tbody></table></div>
<p>In your DNS you would add the record that the setup shows. Here you add it to the demonstration:</p>
<form method="post" action="${RECORD_PATH}"><label>Name <input name="name" autocomplete="off" required></label><label>Value <input name="value" autocomplete="off" required></label><button>Add the record</button></form>`
}
