/**
 * Stand-ins for the parts of the lender's own application that our pages link to, so that no link of the demonstration
 * is dead: applying, signing, loan details, and the legal documents. Every page says that its text is an example.
 */
import { LENDER_PATHS, ROUTER_BASE } from '@portico/contracts/limits'
import type { Organization } from '@portico/contracts/organization-file'
import type { Brands } from '../brands/brands.ts'
import { escapeHtml } from '../escape-html.ts'
import { type PlainPageBrand, sendPlainPage, supportSentence } from '../http/plain-page.ts'
import type { Edge } from '../http/serve.ts'

interface LenderPage {
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** The link to continue. */
  readonly action: { readonly label: string; readonly path: string }
}

const LOGIN = { label: 'Go to the login page', path: `${ROUTER_BASE}/login` }
const REGISTER = { label: 'Create your login', path: `${ROUTER_BASE}/register` }

type Company = Organization['companyInfo']

/** Pages by the path below `/account/heloc`. */
const APPLICATION: Readonly<Record<string, (company: Company) => LenderPage>> = {
  register: ({ name }) => ({
    heading: `Apply with ${name}`,
    paragraphs: [
      'Here you would choose a product and answer the first questions about your home and the amount you need.',
      'Next comes your login: verify your email address and choose a password.',
    ],
    action: REGISTER,
  }),
  'heloc-signer/login': ({ name }) => ({
    heading: 'Sign your mortgage documents',
    paragraphs: [
      `Here a mortgage signer would enter the access code from the letter or email that ${name} sent, and sign without a login.`,
      'Do you own the account? Then log in as usual.',
    ],
    action: LOGIN,
  }),
  '': ({ name }) => ({
    heading: 'Your application',
    paragraphs: [
      `Here ${name} would show how far your application has come and what it still needs from you.`,
    ],
    action: LOGIN,
  }),
}

/** Legal documents by the last part of their path. */
const DOCUMENTS: Readonly<Record<string, (company: Company) => LenderPage>> = {
  terms: ({ legalName, name }) => ({
    heading: 'Terms of use',
    paragraphs: [
      `These terms are between you and ${legalName} (“${name}”). By creating a login you agree to them.`,
      'Keep your password and codes to yourself. You are responsible for what is done with your login until you tell us that someone else has it.',
      'An offer that you see after logging in is not a commitment to lend. A loan exists only once you and we have signed its agreement.',
      'We may change these terms. We tell you by email at least 30 days before a change that matters to you.',
    ],
    action: REGISTER,
  }),
  privacy: ({ legalName, supportEmail }) => ({
    heading: 'Privacy',
    paragraphs: [
      `${legalName} collects what you enter, which device you use and when you log in, in order to open your account, to protect it and to meet the law.`,
      'We share it with the companies that process your application for us, and with authorities where the law requires it. We do not sell it.',
      `You can ask for a copy of your data, or for its deletion where the law allows, at ${supportEmail}.`,
    ],
    action: REGISTER,
  }),
  licenses: ({ legalName, nmlsNumber }) => ({
    heading: 'Licenses',
    paragraphs: [
      `${legalName}, NMLS #${nmlsNumber}, lends in the states in which it is licensed.`,
      'You can look up the company and its licenses at the Nationwide Multistate Licensing System by its NMLS number.',
      'We lend without regard to race, color, religion, national origin, sex, disability, family status, marital status or age.',
    ],
    action: LOGIN,
  }),
  'electronic-communications': ({ legalName }) => ({
    heading: 'Electronic communications',
    paragraphs: [
      `You agree that ${legalName} may send you notices, disclosures and agreements by email or show them after you log in, instead of on paper.`,
      'You need a browser with JavaScript, an email address that you read, and a way to store or print documents.',
      'You can withdraw this consent at any time, or ask for a paper copy without charge, by contacting us.',
    ],
    action: REGISTER,
  }),
}

const otherPage = ({ name }: Company): LenderPage => ({
  heading: `Welcome to ${name}`,
  paragraphs: [`Here ${name}’s own application would continue.`],
  action: LOGIN,
})

/** Serves the pages. `/legal/LENDER/…` has the brand of the lender that owns the document, all others the visitor's. */
export function lenderPages({ app, visitor }: Edge, { organizations, appearanceOf }: Brands): void {
  for (const path of LENDER_PATHS.flatMap((each) => [each, `${each}/*`])) {
    app.get(path, async (request, reply) => {
      const [pathname = '', query = ''] = request.url.split('?')
      const requestVisitor = visitor(request, reply)
      requestVisitor.keepOrganization(requestVisitor.organization.orgCode)
      const owner = organizations.all.find(({ companyInfo }) => isDocumentOf(companyInfo, pathname))
      const { organization, css } = appearanceOf(owner ?? requestVisitor.organization)
      const { companyInfo } = organization
      const { heading, paragraphs, action } = pageAt(pathname)(companyInfo)
      const search = action === LOGIN || query === '' ? '' : `?${query}`
      return sendPlainPage(reply, {
        title: `${heading} · ${companyInfo.name}`,
        heading,
        brand: brandOf(companyInfo, css),
        html: [
          ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
          `<p><a href="${escapeHtml(`${action.path}${search}`)}">${action.label}</a></p>`,
          `<p>${supportSentence(companyInfo)}</p>`,
          `<p><small>This page is part of the demonstration. ${escapeHtml(companyInfo.legalName)} is a made-up company, and this text is an example.</small></p>`,
        ].join('\n'),
      })
    })
  }
}

function isDocumentOf(company: Company, path: string): boolean {
  const { termsUrl, privacyUrl, licensesUrl, electronicCommunicationsUrl } = company
  return [termsUrl, privacyUrl, licensesUrl, electronicCommunicationsUrl].includes(path)
}

function pageAt(path: string): (company: Company) => LenderPage {
  const [, area, ...rest] = path.split('/')
  const [table, key] =
    area === 'legal' ? [DOCUMENTS, rest.at(-1)] : [APPLICATION, rest.slice(1).join('/')]
  const known = area !== 'portfolio' && key !== undefined && Object.hasOwn(table, key)
  return (known ? table[key] : undefined) ?? otherPage
}

function brandOf({ name, logoPath, darkLogoPath }: Company, css: string): PlainPageBrand {
  return { css, name, logoPath, darkLogoPath }
}
