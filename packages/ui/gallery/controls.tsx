import { Link } from '../src/link/link.tsx'

const BRANDS = {
  unbranded: '',
  apollo: '007B63',
  hamilton: '1f385b',
  outpost: '005288',
  novawulf: '1E3464',
  yellow: 'ffdd00',
  red: 'ff0000',
  white: 'ffffff',
  black: '000000',
}
const PAGES = ['parts', 'login', 'reset', 'select', 'error', 'not-found']

/** Links that switch color scheme, brand and page; every combination has its own URL. */
export function Controls({ query }: { query: URLSearchParams }) {
  const link = (name: string, value: string, label: string) => {
    const next = new URLSearchParams(query)
    if (value) next.set(name, value)
    else next.delete(name)
    return (
      <Link key={label} href={`?${next}`}>
        {label}
      </Link>
    )
  }
  return (
    <nav className="controls" aria-label="Gallery">
      <p>Page {PAGES.map((page) => link('page', page, page))}</p>
      <p>Scheme {['light', 'dark'].map((scheme) => link('scheme', scheme, scheme))}</p>
      <p>Brand {Object.entries(BRANDS).map(([name, color]) => link('brand', color, name))}</p>
    </nav>
  )
}
