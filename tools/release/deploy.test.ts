/** The files in `deploy`, and the settings in docs/deployment.md, as systemd, a shell and a container engine read them. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseConfig } from '@portico/server/config'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { ROOT } from '../setup/processes.mjs'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

/** The settings of docs/deployment.md, with a master key. */
function documentedSettings(): string {
  const [, settings = ''] =
    /```sh\n(NODE_ENV=production\n.*?)```/s.exec(read('docs/deployment.md')) ?? []
  return settings.replace('MASTER_KEY=…', `MASTER_KEY=${MASTER_KEY}`)
}

/** As systemd.exec(5) describes `EnvironmentFile`: only whole lines are comments. */
function asSystemd(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*[#;]/.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...rest] = line.split('=')
      return [name.trim(), rest.join('=').trim()]
    }),
  )
}

test('the documented settings are the same for systemd and a shell, and start a node', () => {
  using folder = temporaryFolder()
  const settings = asSystemd(documentedSettings())
  const file = path.join(folder.path, 'settings.env')
  writeFileSync(file, documentedSettings())
  const script = `set -a && . ${file} && env`
  const inShell = execFileSync('/bin/sh', ['-c', script], { env: {}, encoding: 'utf8' })
  expect(asSystemd(inShell)).toMatchObject(settings)
  expect(parseConfig(settings)).toMatchObject({ host: '127.0.0.1', production: true })
})

test('a backup with the documented settings contains the uploaded files of the nodes', () => {
  const unit = read('deploy/systemd/portico@.service')
  const [, dataDir] = /^Environment=.*\bDATA_DIR=(\S+)/m.exec(unit) ?? []
  expect(asSystemd(documentedSettings())['DATA_DIR']).toBe(dataDir)
  expect(unit).toContain(`StateDirectory=${path.basename(dataDir ?? '')}\n`)
})

test('systemd starts a node until PostgreSQL answers', () => {
  const unit = read('deploy/systemd/portico@.service')
  // By default systemd gives up after five starts within ten seconds.
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
  expect(unit).toMatch(/^Restart=on-failure$/m)
})

test('the nodes of the compose file start with the variables of its example', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>
  }
  const variables: Record<string, string> = {
    ...asSystemd(read('deploy/example.env')),
    POSTGRES_PASSWORD: 'p',
    REDIS_PASSWORD: 'r',
    MASTER_KEY,
  }
  for (const name of ['one', 'two', 'migrate']) {
    const environment = Object.entries(services[name]?.environment ?? {}).map(
      ([setting, value]) =>
        [
          setting,
          value.replace(/\$\{(\w+)[^}]*\}/g, (_, each: string) => variables[each] ?? ''),
        ] as const,
    )
    expect(parseConfig(Object.fromEntries(environment))).toMatchObject({
      host: '0.0.0.0',
      migratesSeparately: true,
    })
  }
})

test('the nodes of the compose file read further settings and the data files from the outside', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { volumes: readonly string[]; env_file: readonly unknown[] }>
  }
  for (const name of ['one', 'two', 'migrate']) {
    expect(services[name]?.env_file).toEqual([{ path: 'settings.env', required: false }])
    expect(services[name]?.volumes).toContain('${PORTICO_CONFIG:-../config}:/portico/config:ro')
  }
})

test('the chart installs the image of this version', () => {
  const chart = read('deploy/helm/Chart.yaml')
  expect(/^appVersion: (.*)$/m.exec(chart)?.[1]).toBe(packageFile.version)
})
