import { globSync } from 'node:fs'
import path from 'node:path'
import { Visitor } from '@swc/core/Visitor.js'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { BOUNDARY_RULES } from './boundary-rules.ts'

const FOLDERS = ['apps', 'examples', 'packages', 'tests']

// The visitor that reads imports does not support `using` and stops there. Such a declaration contains no import.
// oxlint-disable typescript/no-deprecated -- dependency-cruiser still uses this visitor
const { visitStatement } = Visitor.prototype
Visitor.prototype.visitStatement = function visit(statement) {
  return (statement.type as string) === 'UsingDeclaration'
    ? statement
    : visitStatement.call(this, statement)
}
// oxlint-enable typescript/no-deprecated

export type BoundaryReport = {
  readonly violations: readonly string[]
  readonly seen: number
  readonly unseen: readonly string[]
  readonly result: ICruiseResult
}

/**
 * Checks every import below a folder against the boundary rules. Also counts the source files
 * itself, because a parser that silently reads nothing would report no errors.
 */
export async function checkBoundaries(root: string): Promise<BoundaryReport> {
  const sources = sourceFiles(root)
  const { output } = await cruise([...new Set(sources.map(topFolder))], {
    baseDir: root,
    parser: 'swc',
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|\\.cache)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    validate: true,
    ruleSet: { forbidden: [...BOUNDARY_RULES] },
  })
  if (typeof output === 'string')
    throw new Error('The boundary check returned text instead of a result.')
  const seen = new Set(output.modules.map((module) => module.source))
  return {
    violations: output.summary.violations.map(
      ({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`,
    ),
    seen: sources.filter((file) => seen.has(file)).length,
    unseen: sources.filter((file) => !seen.has(file)),
    result: output,
  }
}

function sourceFiles(root: string): string[] {
  return globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
    {
      cwd: root,
      exclude: (name) => ['node_modules', 'dist', '.cache'].includes(path.basename(name)),
    },
  ).map((file) => file.replaceAll(path.sep, '/'))
}

function topFolder(file: string): string {
  return file.slice(0, file.indexOf('/'))
}
