import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './setup/processes.mjs'

const BUILD_TIMEOUT_MS = 15 * 60 * 1000

test(
  'the documentation site builds without dead links, and loads nothing from another host',
  () => {
    execFileSync(process.execPath, ['tools/docs.ts', 'build'], { cwd: ROOT, stdio: 'pipe' })
    const site = path.join(ROOT, 'docs/site/dist')
    for (const page of ['index', 'SECURITY', 'docs/guides/operator', 'docs/decisions/index']) {
      expect(existsSync(path.join(site, `${page}.html`)), page).toBe(true)
    }
    for (const page of globSync('**/*.html', { cwd: site })) {
      const html = readFileSync(path.join(site, page), 'utf8')
      expect(html, page).not.toMatch(
        /<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?\/\//,
      )
    }
    for (const sheet of globSync('assets/**/*.css', { cwd: site })) {
      expect(readFileSync(path.join(site, sheet), 'utf8'), sheet).not.toMatch(
        /url\(["']?(?:https?:)?\/\//,
      )
    }
  },
  BUILD_TIMEOUT_MS,
)
