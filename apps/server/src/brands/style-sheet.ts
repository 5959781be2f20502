/**
 * Parses an organization's own style sheet, rejects everything that `style-sheet-rules.ts` does not list, and generates new
 * CSS from the syntax tree in the cascade layer `organization`. Browsers never receive the file itself, so nothing that the
 * parser and a browser interpret differently reaches them.
 */
import {
  type Atrule,
  type CssNode,
  clone,
  type Declaration,
  generate,
  lexer,
  parse,
  type Rule,
  type StyleSheet,
  tokenize,
  tokenTypes,
  walk,
} from 'css-tree/dist/csstree.esm'
import {
  ATTRIBUTES,
  ELEMENTS,
  FONT_SIZE_REM,
  LENGTH_UNITS,
  MEDIA_FEATURES,
  PROPERTIES,
  PSEUDO_CLASSES,
  ROLES,
  TEXT_COLORS_BY_BACKGROUND,
} from './style-sheet-rules.ts'

/** The CSS to serve, or the errors of its file. */
export type StyleSheetResult = { readonly css: string } | { readonly errors: readonly string[] }

/** Reports an error of a node and how to fix it. */
type Report = (node: CssNode, error: string) => void

/**
 * The maximum nesting of brackets: far more than a rule needs, and little enough not to overflow the parser's stack.
 */
const MAX_NESTING = 32
const MAX_LISTED_ERRORS = 20

/** @param file - the path that errors name */
export function parseStyleSheet(text: string, file: string): StyleSheetResult {
  const bracket = bracketError(text)
  if (bracket !== undefined) {
    const line = text.slice(0, bracket.offset).split('\n').length
    return { errors: [`${file}:${line}: ${bracket.error}`] }
  }
  const errors: string[] = []
  const report: Report = (node, error) =>
    errors.push(`${file}:${node.loc?.start.line ?? 1}: ${error}`)
  const sheet = parse(text, {
    positions: true,
    parseCustomProperty: true,
    onParseError: ({ line, message }) =>
      errors.push(`${file}:${line}: cannot be parsed: ${message.split('\n')[0]}. Fix the syntax`),
  })
  if (sheet.type !== 'StyleSheet')
    throw new Error(`Parsed as ${sheet.type} instead of a style sheet`)
  // The generator would keep comments that begin with an exclamation mark.
  walk(sheet, { visit: 'Comment', enter: (_node, item, list) => void list.remove(item) })
  for (const node of sheet.children) checkStatement(node, report)
  if (errors.length > 0) return { errors: errors.slice(0, MAX_LISTED_ERRORS) }
  return { css: generateLayer(sheet) }
}

const CLOSER_OF: Readonly<Record<number, number>> = {
  [tokenTypes.LeftCurlyBracket]: tokenTypes.RightCurlyBracket,
  [tokenTypes.LeftSquareBracket]: tokenTypes.RightSquareBracket,
  [tokenTypes.LeftParenthesis]: tokenTypes.RightParenthesis,
  [tokenTypes.Function]: tokenTypes.RightParenthesis,
}
const CLOSERS = new Set(Object.values(CLOSER_OF))

/**
 * Finds the first bracket that is unsafe for the parser. It matches a closing bracket without an opening one against
 * the previous sheet's leftover buffer and can then loop forever; too deep nesting overflows its stack.
 */
function bracketError(
  text: string,
): { readonly error: string; readonly offset: number } | undefined {
  const expectedClosers: number[] = []
  let found: { error: string; offset: number } | undefined
  tokenize(text, (type, offset) => {
    const closer = CLOSER_OF[type]
    if (closer !== undefined) {
      expectedClosers.push(closer)
      if (expectedClosers.length > MAX_NESTING) {
        found ??= {
          error: `more than ${MAX_NESTING} nested brackets. Simplify it`,
          offset,
        }
      }
    } else if (type === expectedClosers.at(-1)) expectedClosers.pop()
    else if (CLOSERS.has(type) && expectedClosers.length === 0) {
      found ??= { error: `${text.charAt(offset)} has no opening bracket. Remove it`, offset }
    }
  })
  return found
}

function generateLayer(sheet: StyleSheet): string {
  return `@layer organization{${generate(sheet)}}`
}

function checkStatement(node: CssNode, report: Report): void {
  switch (node.type) {
    case 'Rule':
      return checkRule(node, report)
    case 'Atrule':
      return checkMedia(node, report)
    default:
      report(node, 'is not a rule. Remove it')
  }
}

function checkMedia(node: Atrule, report: Report): void {
  if (node.name !== 'media' || node.prelude?.type !== 'AtrulePrelude' || node.block === null) {
    return report(node, `@${node.name} is not allowed; only @media is. Remove it`)
  }
  walk(node.prelude, (part) => {
    switch (part.type) {
      case 'Feature':
        if (!MEDIA_FEATURES.has(part.name)) {
          report(
            node,
            `@media may not use ${part.name}. Allowed features are ${joinNames(MEDIA_FEATURES)}`,
          )
        }
        return
      case 'AtrulePrelude':
      case 'MediaQueryList':
      case 'MediaQuery':
      case 'Condition':
      case 'Identifier':
      case 'Dimension':
        return
      default:
        report(node, `@media is too complex (${part.type}). Use min-width or max-width`)
    }
  })
  for (const inner of node.block.children) {
    if (inner.type === 'Rule') checkRule(inner, report)
    else report(inner, '@media may only contain rules. Remove it')
  }
}

function checkRule(rule: Rule, report: Report): void {
  checkSelectors(rule, report)
  for (const node of rule.block.children) {
    if (node.type === 'Declaration') checkDeclaration(node, report)
    else report(node, 'nested rules are not allowed. Write a separate rule')
  }
  checkTextOnBackground(rule, report)
}

function checkSelectors(rule: Rule, report: Report): void {
  walk(rule.prelude, (node) => {
    switch (node.type) {
      case 'SelectorList':
      case 'Selector':
      case 'Combinator':
      case 'Identifier':
      case 'String':
        return
      case 'TypeSelector':
        if (!ELEMENTS.has(node.name)) {
          report(
            rule,
            `'${node.name}' is not an allowed element. Allowed elements are ${joinNames(ELEMENTS)}`,
          )
        }
        return
      case 'AttributeSelector':
        if (!ATTRIBUTES.has(node.name.name) || ![null, '='].includes(node.matcher)) {
          report(
            rule,
            `[${node.name.name}] is not an allowed selector: a sheet must not read user input. Use one of ${joinNames(ATTRIBUTES)}, with =`,
          )
        }
        return
      case 'PseudoClassSelector':
        if (!PSEUDO_CLASSES.has(node.name)) {
          report(
            rule,
            `:${node.name} is not an allowed selector: a sheet must not read user input. Allowed pseudo-classes are ${joinNames(PSEUDO_CLASSES)}`,
          )
        }
        return
      case 'ClassSelector':
        return report(
          rule,
          `.${node.name}: class names change with every build. Select by data-part`,
        )
      default:
        report(
          rule,
          `${generate(node)} is not an allowed selector. Use elements, data-part and :hover`,
        )
    }
  })
}

function checkDeclaration(declaration: Declaration, report: Report): void {
  const { property, value, important } = declaration
  const syntax = Object.hasOwn(PROPERTIES, property) ? PROPERTIES[property] : undefined
  if (syntax === undefined) {
    return report(
      declaration,
      `${property} is not an allowed property: a sheet changes fonts, spacing, borders and theme colors, not layout or content. Remove it`,
    )
  }
  if (important) {
    return report(
      declaration,
      `${property}: !important is unnecessary because the sheet comes last. Remove it`,
    )
  }
  const plain = plainValue(value)
  if (!plain || lexer.match(syntax, plain).error || !isReadableSize(declaration)) {
    report(
      declaration,
      `${property}: ${generate(value).slice(0, 60)} is not an allowed value. Use roles such as var(--brand-text) for colors and plain px, em or rem for lengths; no other functions`,
    )
  }
}

/**
 * Replaces the roles of a value by their keywords, to match it against the property's syntax. Returns undefined if the
 * value contains other functions.
 */
function plainValue(value: CssNode): CssNode | undefined {
  const plain = clone(value)
  let readable = true
  walk(plain, (node) => {
    if (!isPlain(node)) readable = false
    // Skip the role's name, which is not part of the syntax.
    if (node.type === 'Function') {
      const role = roleOf(node)
      Object.assign(node, { type: 'Identifier', name: role === undefined ? '' : ROLES[role] })
      return walk.skip
    }
    return undefined
  })
  return readable ? plain : undefined
}

function isPlain(node: CssNode): boolean {
  switch (node.type) {
    case 'Function':
      return roleOf(node) !== undefined
    case 'Dimension':
      return Math.abs(Number(node.value)) <= (LENGTH_UNITS[node.unit.toLowerCase()] ?? -1)
    case 'String':
      return /^[\w -]{1,64}$/.test(node.value)
    case 'Operator':
      return node.value === ','
    default:
      return ['Value', 'Identifier', 'Number'].includes(node.type)
  }
}

/** The role in `var(--role)`; undefined for other functions and if there is a fallback. */
function roleOf(node: Extract<CssNode, { type: 'Function' }>): string | undefined {
  const { first } = node.children
  if (node.name !== 'var' || node.children.size !== 1 || first?.type !== 'Identifier') return
  const role = first.name.slice(2)
  return first.name.startsWith('--') && Object.hasOwn(ROLES, role) ? role : undefined
}

/** Font sizes must be readable and follow the user's browser setting. */
function isReadableSize({ property, value }: Declaration): boolean {
  if (property !== 'font-size') return true
  const size = value.type === 'Value' ? value.children.first : null
  if (size?.type !== 'Dimension' || size.unit.toLowerCase() !== 'rem') return false
  const rem = Number(size.value)
  return rem >= FONT_SIZE_REM.least && rem <= FONT_SIZE_REM.most
}

/** A rule that sets a background must also set a matching text color, so that the contrast is known. */
function checkTextOnBackground(rule: Rule, report: Report): void {
  const roles = new Map<string, string>()
  for (const node of rule.block.children) {
    if (node.type !== 'Declaration' || node.value.type !== 'Value') continue
    const { first } = node.value.children
    const role = first?.type === 'Function' ? roleOf(first) : undefined
    if (role === undefined) roles.delete(node.property)
    else roles.set(node.property, role)
  }
  const background = roles.get('background-color')
  if (background === undefined) return
  const allowed = TEXT_COLORS_BY_BACKGROUND[background] ?? []
  if (allowed.includes(roles.get('color') ?? '')) return
  report(
    rule,
    `background-color: var(--${background}) needs color in the same rule: ${allowed.map((role) => `var(--${role})`).join(' or ')}`,
  )
}

function joinNames(names: ReadonlySet<string>): string {
  return [...names].join(', ')
}
