/** SimpleSAMLphp, a SAML provider, from its Debian package: with PHP's own web server and its own folder. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { samlSigningKey } from '@portico/server/saml-responses'
import { installDebianPackage } from '../../../tools/machine/debian.ts'
import { executable, findProgram } from '../../../tools/machine/find-program.ts'
import { freePort } from '../../../tools/machine/free-port.ts'
import { startGuard } from '../../../tools/machine/guard.ts'
import type { Browser } from '../../support/browser.ts'
import { answersAt, formIn, openPage, sendForm } from './provider-pages.ts'

const PAGES = '/usr/share/simplesamlphp/www'
/** The provider's own URL in its configuration: our server accepts only https. */
const ORIGIN = 'https://login.cedar-point.example'

/** A person of the provider. */
const personCalled = (name: string) => ({
  name,
  password: `secret-of-${name}`,
  mail: `${name}@cedar-point.example`,
})

/** Whether it is installed; installs it if this process may. */
export function hasSimpleSamlPhp(): boolean {
  const isInstalled = () => findProgram(['php']) !== undefined && executable(path.dirname(PAGES))
  return (
    isInstalled() ||
    (['simplesamlphp', 'php-cli', 'php-xml'].every(installDebianPackage) && isInstalled())
  )
}

/** Starts it with the key and the service provider's metadata, which `trust` adds. */
export async function startSimpleSamlPhp({
  signs = 'assertion',
  name = 'ada',
}: {
  signs?: 'assertion' | 'response'
  name?: string
} = {}) {
  const person = personCalled(name)
  const folder = mkdtempSync(path.join(tmpdir(), 'portico-simplesamlphp-'))
  const port = await freePort()
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text)
  const { privateKey, certificate } = await samlSigningKey()
  write('key.pem', privateKey)
  write('key.crt', `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`)
  write('config.php', CONFIG.replaceAll('FOLDER', folder))
  write('authsources.php', authentication(person))
  const options = `'saml20.sign.response' => ${signs === 'response'}, 'saml20.sign.assertion' => ${signs === 'assertion'},`
  write('saml20-idp-hosted.php', HOSTED.replace('OPTIONS', options))
  write('provider.xml', '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>')
  const stop = startGuard(
    'cd "$2" && SIMPLESAMLPHP_CONFIG_DIR="$2" php -q -S "$1" -t "$3" 2>"$2/log" & server=$!; read -r _; kill $server; wait $server; rm -rf "$2"',
    [`127.0.0.1:${port}`, folder, PAGES],
  )
  const origin = `http://127.0.0.1:${port}`
  const metadataUrl = `${origin}/saml2/idp/metadata.php`
  await answersAt(metadataUrl)
  /** The address where the provider actually runs. */
  const real = (url: string) => url.replace(ORIGIN, origin)

  return {
    person,
    metadata: async () => (await fetch(metadataUrl)).text(),
    trust: (metadata: string) => write('provider.xml', metadata),
    /** Follows a redirect to the provider, and signs in. Returns the page that follows. */
    async signIn(browser: Browser, redirect: string, password = person.password) {
      const page = await openPage(browser, redirect, real)
      const { action, fields } = formIn(page)
      const signIn = { ...fields, username: person.name, password }
      return sendForm(browser, real(new URL(action, page.url).href), signIn, real)
    },
    open: (browser: Browser, url: string) => openPage(browser, url, real),
    [Symbol.asyncDispose]: stop,
  }
}

const CONFIG = `<?php
$config = [
  'baseurlpath' => '${ORIGIN}/',
  'certdir' => 'FOLDER/',
  'loggingdir' => 'FOLDER/',
  'datadir' => 'FOLDER/',
  'tempdir' => 'FOLDER/temporary',
  'metadatadir' => 'FOLDER/',
  'secretsalt' => 'salt-of-the-tests',
  'auth.adminpassword' => 'password-of-the-tests',
  'technicalcontact_email' => 'support@cedar-point.example',
  'timezone' => 'UTC',
  'logging.handler' => 'errorlog',
  'enable.saml20-idp' => true,
  'module.enable' => ['exampleauth' => true, 'core' => true, 'saml' => true],
  'session.cookie.secure' => false,
  'session.phpsession.cookiename' => 'SimpleSAML',
  'session.phpsession.savepath' => 'FOLDER',
  'store.type' => 'phpsession',
  'metadata.sources' => [['type' => 'flatfile'], ['type' => 'xml', 'file' => 'FOLDER/provider.xml']],
  'language.default' => 'en',
];
`

const authentication = ({ name, password, mail }: ReturnType<typeof personCalled>) => `<?php
$config = ['people' => ['exampleauth:UserPass',
  '${name}:${password}' => ['uid' => ['${name}'], 'mail' => ['${mail}']],
]];
`

const HOSTED = `<?php
$metadata['${ORIGIN}/saml'] = [
  'host' => '__DEFAULT__', 'privatekey' => 'key.pem', 'certificate' => 'key.crt', 'auth' => 'people', OPTIONS
  'authproc' => [10 => ['class' => 'saml:PersistentNameID', 'attribute' => 'uid']],
];
`
