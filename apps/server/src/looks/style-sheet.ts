/**
 * Reads an organization's own style sheet with a parser of the CSS syntax, refuses whatever `style-sheet-rules.ts` does
 * not list, and writes it anew from what was understood, inside the cascade layer `organization`. What a browser gets is
 * never the file itself, so nothing that the parser and a browser read differently arrives there.
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
  WORDS_ON,
} from './style-sheet-rules.ts'

/** A sheet as it is served, or what is wrong with its file. */
export type ReadStyleSheet = { readonly css: string } | { readonly faults: readonly string[] }

/** Tells what is wrong with a node, and what to do about it. */
type Tell = (node: CssNode, fault: string) => void

/** How many brackets may stand in one another: no rule needs as many, and a parser has not room for any number. */
const OPEN_MAXIMUM = 32
const FAULTS_NAMED = 20

/** Reads a sheet; `file` is its path as faults name it. */
export function readStyleSheet(text: string, file: string): ReadStyleSheet {
  const bracket = bracketError(text)
  if (bracket !== undefined) {
    const line = text.slice(0, bracket.offset).split('\n').length
    return { faults: [`${file}:${line}: ${bracket.fault}`] }
  }
  const faults: string[] = []
  const tell: Tell = (node, fault) => faults.push(`${file}:${node.loc?.start.line ?? 1}: ${fault}`)
  const sheet = parse(text, {
    positions: true,
    parseCustomProperty: true,
    onParseError: ({ line, message }) =>
      faults.push(`${file}:${line}: cannot be read: ${message.split('\n')[0]}. Mend it`),
  })
  if (sheet.type !== 'StyleSheet') throw new Error(`A sheet was read as ${sheet.type}`)
  // Comments that begin with an exclamation mark would be kept.
  walk(sheet, { visit: 'Comment', enter: (_node, item, list) => void list.remove(item) })
  for (const node of sheet.children) checkStatement(node, tell)
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_NAMED) }
  return { css: written(sheet) }
}

const CLOSER_OF: Readonly<Record<number, number>> = {
  [tokenTypes.LeftCurlyBracket]: tokenTypes.RightCurlyBracket,
  [tokenTypes.LeftSquareBracket]: tokenTypes.RightSquareBracket,
  [tokenTypes.LeftParenthesis]: tokenTypes.RightParenthesis,
  [tokenTypes.Function]: tokenTypes.RightParenthesis,
}
const CLOSERS = new Set(Object.values(CLOSER_OF))

/**
 * The first bracket that the parser must not meet: one that closes where nothing is open, against which it matches what is
 * left in its buffer of the sheet before, and can then go round for ever; or one that stands in too many others.
 */
function bracketError(
  text: string,
): { readonly fault: string; readonly offset: number } | undefined {
  const awaited: number[] = []
  let found: { fault: string; offset: number } | undefined
  tokenize(text, (type, offset) => {
    const closer = CLOSER_OF[type]
    if (closer !== undefined) {
      awaited.push(closer)
      if (awaited.length > OPEN_MAXIMUM) {
        found ??= {
          fault: `more than ${OPEN_MAXIMUM} brackets stand in one another. Write it plainly`,
          offset,
        }
      }
    } else if (type === awaited.at(-1)) awaited.pop()
    else if (CLOSERS.has(type) && awaited.length === 0) {
      found ??= { fault: `nothing is open that ${text.charAt(offset)} closes. Remove it`, offset }
    }
  })
  return found
}

function written(sheet: StyleSheet): string {
  return `@layer organization{${generate(sheet)}}`
}

function checkStatement(node: CssNode, tell: Tell): void {
  switch (node.type) {
    case 'Rule':
      return checkRule(node, tell)
    case 'Atrule':
      return checkMedia(node, tell)
    default:
      tell(node, 'is no rule. Remove it')
  }
}

function checkMedia(node: Atrule, tell: Tell): void {
  if (node.name !== 'media' || node.prelude?.type !== 'AtrulePrelude' || node.block === null) {
    return tell(node, `@${node.name} is not taken; @media is, with widths. Remove it`)
  }
  walk(node.prelude, (part) => {
    switch (part.type) {
      case 'Feature':
        if (!MEDIA_FEATURES.has(part.name)) {
          tell(node, `@media may not ask for ${part.name}; it may for ${listed(MEDIA_FEATURES)}`)
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
        tell(node, `@media is too involved here (${part.type}). Ask for min-width or max-width`)
    }
  })
  for (const inner of node.block.children) {
    if (inner.type === 'Rule') checkRule(inner, tell)
    else tell(inner, '@media holds rules and nothing else. Remove it')
  }
}

function checkRule(rule: Rule, tell: Tell): void {
  checkSelectors(rule, tell)
  for (const node of rule.block.children) {
    if (node.type === 'Declaration') checkDeclaration(node, tell)
    else tell(node, 'rules do not stand in rules here. Write it as one of its own')
  }
  checkWordsOnGround(rule, tell)
}

function checkSelectors(rule: Rule, tell: Tell): void {
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
          tell(rule, `'${node.name}' may not be selected; what may is ${listed(ELEMENTS)}`)
        }
        return
      case 'AttributeSelector':
        if (!ATTRIBUTES.has(node.name.name) || ![null, '='].includes(node.matcher)) {
          tell(
            rule,
            `[${node.name.name}] may not be selected by: a sheet must not see what a person enters. Use one of ${listed(ATTRIBUTES)}, with =`,
          )
        }
        return
      case 'PseudoClassSelector':
        if (!PSEUDO_CLASSES.has(node.name)) {
          tell(
            rule,
            `:${node.name} may not be selected by: a sheet must not see what a person enters. What may is ${listed(PSEUDO_CLASSES)}`,
          )
        }
        return
      case 'ClassSelector':
        return tell(rule, `.${node.name}: class names change with every build. Select by data-part`)
      default:
        tell(rule, `${generate(node)} may not be selected. Use elements, data-part and :hover`)
    }
  })
}

function checkDeclaration(declaration: Declaration, tell: Tell): void {
  const { property, value, important } = declaration
  const syntax = Object.hasOwn(PROPERTIES, property) ? PROPERTIES[property] : undefined
  if (syntax === undefined) {
    return tell(
      declaration,
      `${property} may not be set: a sheet changes type, space, lines and colors by role, not where things stand or what they say. Remove it`,
    )
  }
  if (important) {
    return tell(
      declaration,
      `${property}: !important is not needed, the sheet comes last. Remove it`,
    )
  }
  const plain = plainValue(value)
  if (!plain || lexer.match(syntax, plain).error || !isReadableSize(declaration)) {
    tell(
      declaration,
      `${property}: ${generate(value).slice(0, 60)} is not taken. Colors are roles such as var(--brand-text); lengths are plain px, em or rem; no other function is read`,
    )
  }
}

/** A value with words in place of its roles, to be held against its property's grammar; nothing where it has other functions. */
function plainValue(value: CssNode): CssNode | undefined {
  const plain = clone(value)
  let readable = true
  walk(plain, (node) => {
    if (!isPlain(node)) readable = false
    // What a role stands for is no part of the grammar any more.
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

/** The role that `var(--role)` names; nothing where it has a fallback or is another function. */
function roleOf(node: Extract<CssNode, { type: 'Function' }>): string | undefined {
  const { first } = node.children
  if (node.name !== 'var' || node.children.size !== 1 || first?.type !== 'Identifier') return
  const role = first.name.slice(2)
  return first.name.startsWith('--') && Object.hasOwn(ROLES, role) ? role : undefined
}

/** Words keep a size that can be read and that grows with a person's own setting. */
function isReadableSize({ property, value }: Declaration): boolean {
  if (property !== 'font-size') return true
  const size = value.type === 'Value' ? value.children.first : null
  if (size?.type !== 'Dimension' || size.unit.toLowerCase() !== 'rem') return false
  const rem = Number(size.value)
  return rem >= FONT_SIZE_REM.least && rem <= FONT_SIZE_REM.most
}

/** Who sets a ground sets the words on it, so that their contrast is known. */
function checkWordsOnGround(rule: Rule, tell: Tell): void {
  const roles = new Map<string, string>()
  for (const node of rule.block.children) {
    if (node.type !== 'Declaration' || node.value.type !== 'Value') continue
    const { first } = node.value.children
    const role = first?.type === 'Function' ? roleOf(first) : undefined
    if (role === undefined) roles.delete(node.property)
    else roles.set(node.property, role)
  }
  const ground = roles.get('background-color')
  if (ground === undefined) return
  const words = WORDS_ON[ground] ?? []
  if (words.includes(roles.get('color') ?? '')) return
  tell(
    rule,
    `background-color: var(--${ground}) needs color in the same rule: ${words.map((role) => `var(--${role})`).join(' or ')}`,
  )
}

function listed(names: ReadonlySet<string>): string {
  return [...names].join(', ')
}
