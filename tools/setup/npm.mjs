import { run } from './processes.mjs'

/**
 * Runs npm and resolves to its exit code. Prefers the npm that runs us, which the user chose, on a Node that is
 * not inside node_modules.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<number>}
 */
export function runNpm(args, options = {}) {
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env
  return npm?.endsWith('.js')
    ? run(node, [npm, ...args], options)
    : run('npm', args, { ...options, shell: process.platform === 'win32' })
}
