// Imported first, so that users of a very old Node get a message instead of a stack trace.
const major = Number(process.versions.node.split('.')[0])

if (major < 20) {
  console.error(
    `Portico needs Node 20 or newer to install itself; this is Node ${process.versions.node}.\n` +
      'Install a current Node from https://nodejs.org, open a new terminal and try again.',
  )
  process.exit(1)
}
