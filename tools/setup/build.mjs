import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SetupFailure } from './failure.mjs'
import { fingerprint } from './fingerprint.mjs'
import { alone } from './lock.mjs'
import { ROOT, run } from './processes.mjs'

const VITE = path.join(ROOT, 'node_modules/vite/bin/vite.js')

/**
 * Builds the applications with inputs that changed since their last build; `force` builds all of them.
 *
 * @param {string} node the Node that builds
 * @param {{ force?: boolean }} [options]
 */
export async function buildIfNeeded(node, { force = false } = {}) {
  if (!force && applications().every(isBuilt)) return
  await alone(async () => {
    const due = applications().filter((app) => force || !isBuilt(app))
    await Promise.all(due.map((app) => build(node, app)))
  })
}

function applications() {
  return readdirSync(path.join(ROOT, 'apps'))
    .map((name) => `apps/${name}`)
    .filter((app) => existsSync(path.join(ROOT, app, 'vite.config.ts')))
}

/** @param {string} app */
function isBuilt(app) {
  const stamp = path.join(ROOT, app, 'dist/.inputs')
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs(app)
}

/** @param {string} app */
function inputs(app) {
  const sources = [
    app,
    'packages',
    'tools/vite-application.ts',
    'tools/release/bundle.ts',
    'tsconfig.json',
    'package-lock.json',
  ]
  return fingerprint(sources, (file) => !/\.test\.tsx?$|\.md$/.test(file))
}

/**
 * Builds into a temporary folder and then replaces the current one, so that a failed or interrupted
 * build never leaves half an application.
 *
 * @param {string} node
 * @param {string} app
 */
async function build(node, app) {
  console.log(`Building ${app} …`)
  const fresh = path.join(ROOT, app, '.cache/build')
  const dist = path.join(ROOT, app, 'dist')
  const built = inputs(app)
  rmSync(fresh, { recursive: true, force: true })
  await (app === 'apps/server'
    ? vite(node, app, ['--outDir', fresh])
    : buildPages(node, app, fresh))
  writeFileSync(path.join(fresh, '.inputs'), built)
  rmSync(dist, { recursive: true, force: true })
  renameSync(fresh, dist)
}

/**
 * @param {string} node
 * @param {string} app
 * @param {string} fresh the folder to build into
 */
async function buildPages(node, app, fresh) {
  await vite(node, app, ['--manifest', '--outDir', path.join(fresh, 'client')])
  // An application without a renderer is drawn in the browser only.
  if (existsSync(path.join(ROOT, app, 'src/render.tsx'))) {
    await vite(node, app, ['--ssr', 'src/render.tsx', '--outDir', path.join(fresh, 'render')])
  }
  await vite(node, app, ['--mode', 'gallery', '--outDir', path.join(fresh, 'gallery')])
  for (const mode of app === 'apps/wallet' ? ['mobile', 'mobile-worker'] : []) {
    await vite(node, app, ['--mode', mode, '--manifest', '--outDir', path.join(fresh, mode)])
  }
}

/**
 * @param {string} node
 * @param {string} app
 * @param {readonly string[]} args
 */
async function vite(node, app, args) {
  const code = await run(node, [VITE, 'build', '--logLevel', 'warn', '--emptyOutDir', ...args], {
    cwd: path.join(ROOT, app),
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code !== 0) throw new SetupFailure(`${app} could not be built; the reason is above.`)
}
