/** People of demonstration mode. */
export const PEOPLE = {
  plain: { email: 'olive.plain@portico.example', password: 'quiet-harbour-71-lantern' },
  broker: { email: 'bruna.broker@portico.example', password: 'golden-ferry-83-willow' },
  passwordless: { email: 'piet.passcode@portico.example' },
  expired: { email: 'edda.expired@portico.example', password: 'amber-kettle-38-meadow' },
  locked: { email: 'lars.locked@portico.example', password: 'copper-window-52-thistle' },
  moved: { email: 'mona.moved@portico.example', password: 'silver-orchard-64-pebble' },
  totp: {
    email: 'tomas.totp@portico.example',
    password: 'scarlet-compass-47-heron',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  admin: {
    email: 'ada.admin@portico.example',
    password: 'cobalt-harvest-44-lantern',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  support: {
    email: 'sam.support@portico.example',
    password: 'marigold-anchor-57-summit',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  brand: {
    email: 'bram.brand@portico.example',
    password: 'juniper-canvas-68-pilot',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  auditor: {
    email: 'otto.auditor@portico.example',
    password: 'bronze-ledger-92-willow',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  phone: {
    email: 'petra.phone@portico.example',
    password: 'crimson-lighthouse-26-fern',
    phone: '+12015550142',
  },
  email: { email: 'emil.email@portico.example', password: 'indigo-sparrow-95-canyon' },
  questions: { email: 'quinn.questions@portico.example', password: 'hazel-teapot-13-glacier' },
  individual: { email: 'iris.individual@portico.example', password: 'walnut-ferry-46-lagoon' },
  several: { email: 'sven.several@portico.example', password: 'cedar-trumpet-92-island' },
  organizations: {
    email: 'olga.organizations@portico.example',
    password: 'linen-bridge-37-comet',
  },
  /** Three members of an organization, two of whom must agree. */
  ana: { email: 'ana.alder@portico.example', password: 'pewter-gallery-57-juniper' },
  ben: {
    email: 'ben.alder@portico.example',
    password: 'saffron-terrace-84-quartz',
    words: 'license vacuum leader proof tool replace swap method ridge inspire solution guess',
  },
  cleo: {
    email: 'cleo.alder@portico.example',
    password: 'russet-harvest-19-dolphin',
    words: 'inquiry sense digital tortoise before coconut dose tonight sure vacant team vocal',
  },
  provenance: { email: 'paul.provenance@portico.example', password: 'ginger-castle-68-meteor' },
  unverified: { email: 'uma.unverified@portico.example', password: 'barley-saddle-21-beacon' },
  reviewer: { email: 'rita.reviewer@portico.example', password: 'willow-lantern-35-granite' },
  recovery: {
    email: 'rosa.recovery@portico.example',
    password: 'maple-cathedral-59-otter',
    secret: 'PORTICOTOTPSECRETABCDEFGH234567K',
  },
  all: {
    email: 'alma.all@portico.example',
    password: 'cobalt-windmill-74-raven',
    phone: '+12015550144',
  },
} as const

/** Recovery answers of the people of demonstration mode. */
export const RECOVERY_ANSWERS: Readonly<Record<string, string>> = {
  'What was the name of your first pet?': 'Rex',
  'In which town did your parents meet?': 'Utrecht',
  'What was the make of your first car?': 'Volvo',
}
