import { spawn } from 'node:child_process'

/**
 * Runs a shell script that waits on its standard input, a pipe from us (`read -r _`). The pipe closes when we end in any
 * way, so what follows in the script is always executed. Returns a function that closes it early.
 *
 * @param args - `$1`, `$2` and so on of the script
 * @param user - the user to run it as, if not the current one
 */
export function startGuard(
  script: string,
  args: readonly string[],
  user: { readonly uid?: number; readonly gid?: number } = {},
): () => Promise<void> {
  const guard = spawn('sh', ['-c', script, 'sh', ...args], {
    cwd: '/',
    detached: true, // A signal to our process group must not kill the guard early.
    stdio: ['pipe', 'ignore', 'ignore'],
    ...user,
  })
  const ended = new Promise<void>((resolve) => guard.once('exit', () => resolve()))
  guard.unref()
  return () => {
    guard.ref()
    guard.stdin.end()
    return ended
  }
}
