import type { PreviewBrand } from '@portico/contracts/preview'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../environment.ts'
import styles from './organizations.module.css'

/**
 * What the brand looks like. The frame has no scripts and an origin of its own, so that a style sheet can neither read the
 * console nor cover it. Its document is markup without anyone's data.
 */
export function BrandSample({ brand }: { brand: PreviewBrand | null }) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light')
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop')
  const logo = usePicture(brand === null ? undefined : logoOf(brand, scheme))
  return (
    <section className={styles.sample} aria-label="Sample of the brand" data-device={device}>
      <div className={styles.switches}>
        <Switch values={['desktop', 'phone']} value={device} onChange={setDevice} />
        <Switch values={['light', 'dark']} value={scheme} onChange={setScheme} />
      </div>
      {brand === null ? (
        <p className={styles.quiet}>The sample appears once the brand has a name and a color.</p>
      ) : (
        <Frame
          title={`${brand.name} on a ${device}, ${scheme}`}
          content={sampleDocument(brand, { scheme, nonce: pageNonce(), logo })}
        />
      )}
    </section>
  )
}

const logoOf = ({ page }: PreviewBrand, scheme: 'light' | 'dark') => {
  const { logoPath, darkLogoPath } = page.organization.orgMetaData.companyInfo
  return (scheme === 'dark' ? darkLogoPath : undefined) ?? logoPath
}

/** A picture as a data URL: the frame has another origin, to which the server gives none. */
function usePicture(path: string | undefined): string | undefined {
  const { readFile } = useEnvironment()
  const [picture, setPicture] = useState<{ path: string; url: string }>()
  useEffect(() => {
    if (path === undefined) return
    const current = new AbortController()
    const type = path.endsWith('.png') ? 'image/png' : 'image/svg+xml'
    readFile(path, {}, current.signal).then(
      (bytes) => {
        const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
        setPicture({ path, url: `data:${type};base64,${btoa(text)}` })
      },
      () => undefined, // Without the picture the sample shows the name.
    )
    return () => current.abort()
  }, [path, readFile])
  return picture?.path === path ? picture?.url : undefined
}

function Frame({ title, content }: { title: string; content: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    // The page's policy requires Trusted Types, and the frame runs no scripts.
    if (frame.current !== null) frame.current.srcdoc = trustedHtml(content)
  }, [content])
  return <iframe ref={frame} title={title} sandbox="" />
}

interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { createHTML: (text: string) => string },
  ) => { readonly createHTML: (text: string) => string }
}

/** Markup for a frame without scripts. Browsers with Trusted Types return an object that stands for the text. */
function trustedHtml(text: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('portico', { createHTML: (html) => html })
  return policy === undefined ? text : policy.createHTML(text)
}

function Switch<Value extends string>({
  values,
  value,
  onChange,
}: {
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <fieldset className={styles.switch}>
      <legend>{values.join(' or ')}</legend>
      {values.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onChange(each)}
        >
          {each}
        </button>
      ))}
    </fieldset>
  )
}

/** The frame inherits the page's policy, which allows style elements with the page's nonce. */
const pageNonce = () =>
  document.querySelector<HTMLElement>('style[nonce], link[nonce]')?.nonce ?? ''

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A login page in the brand's colors. */
export function sampleDocument(
  { page, css }: PreviewBrand,
  {
    scheme,
    nonce,
    logo,
  }: {
    readonly scheme: 'light' | 'dark'
    readonly nonce: string
    readonly logo?: string | undefined
  },
): string {
  const { name, trustSentence, legalName } = page.organization.orgMetaData.companyInfo
  const text = (value: string | undefined) => escapeHtml(value ?? '')
  // A style sheet cannot end its element: in CSS, `<` has no meaning outside of strings, where the escape equals it.
  const sheet = css.replaceAll('<', '\\3c ')
  return `<!doctype html><html lang="en" data-scheme="${scheme}"><head><meta charset="utf-8"><style nonce="${escapeHtml(nonce)}">${NEUTRAL[scheme]}${LAYOUT}</style><style nonce="${escapeHtml(nonce)}">${sheet}</style></head><body data-part="page"><div class="panel" data-part="panel">${logo === undefined ? `<strong>${text(name)}</strong>` : `<img src="${text(logo)}" alt="${text(name)}">`}<p>${text(trustSentence ?? legalName)}</p></div><main data-part="form"><h1>Log in to your account with ${text(name)}</h1><label>Email<span class="field">ada@example.com</span></label><label>Password<span class="field">••••••••••••</span></label><span class="error">The email or password is incorrect.</span><span class="primary">Log in</span><span class="secondary">Use a passkey</span><span class="link">Forgot your password?</span></main></body></html>`
}

const NEUTRAL = {
  light:
    '@layer tokens, brand, organization;@layer tokens{:root{color-scheme:light;--surface:#fcfcfa;--surface-raised:#fff;--text:#1c1e24;--text-muted:#565962;--line:#878a91;--danger:#a42420}}',
  dark: '@layer tokens, brand, organization;@layer tokens{:root{color-scheme:dark;--surface:#131417;--surface-raised:#1b1d21;--text:#ecedef;--text-muted:#a8abb2;--line:#7b7e86;--danger:#f38d86}}',
}

const LAYOUT = `@layer tokens{*{box-sizing:border-box;margin:0}body{display:grid;grid-template-columns:minmax(0,44fr) minmax(0,56fr);min-height:100vh;background:var(--surface);color:var(--text);font:15px/1.5 system-ui,sans-serif}.panel{display:flex;flex-direction:column;justify-content:space-between;padding:28px;background:var(--panel);color:var(--on-panel)}.panel img{align-self:start;height:28px;max-width:100%}main{display:grid;align-content:center;gap:14px;padding:32px}h1{font-size:22px;line-height:1.2}label{display:grid;gap:4px;font-weight:600}.field,.primary,.secondary{display:block;padding:10px 14px;border:1px solid var(--line);border-radius:6px;background:var(--surface-raised);font-weight:400}.primary,.secondary{text-align:center;font-weight:600}.primary{border-color:transparent;background:var(--brand);color:var(--on-brand)}.error{color:var(--danger)}.link{color:var(--brand-text);text-decoration:underline}@media(max-width:480px){body{grid-template-columns:minmax(0,1fr);grid-template-rows:auto 1fr}.panel{padding:14px 20px}.panel p{display:none}main{align-content:start;padding:28px 20px}}}`
