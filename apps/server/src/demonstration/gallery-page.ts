import { GALLERY_PATH, GALLERY_SCREENS } from '@portico/contracts/gallery'
import { PREVIEW_MAILS } from '@portico/contracts/preview'
import type { Scheme } from '@portico/rules/theme'
import { escapeHtml } from '../escape-html.ts'

/** A selectable brand: an organization by its code, or a label as `label:` and its code. */
export interface BrandChoice {
  readonly value: string
  readonly name: string
}

/** A screen of the gallery, as application and name. */
export interface ScreenChoice {
  readonly value: string
  readonly title: string
}

/** The selected view: one brand or all, one screen or all, and light, dark or the browser's preference. */
export interface GalleryChoice {
  readonly brand: string | undefined
  readonly screen: string | undefined
  readonly scheme: Scheme | undefined
  readonly phone: boolean
}

export const SCREEN_CHOICES: readonly ScreenChoice[] = [
  ...Object.entries(GALLERY_SCREENS).flatMap(([app, screens]) =>
    Object.entries(screens).map(([name, title]) => ({ value: `${app}/${name}`, title })),
  ),
  ...Object.entries(PREVIEW_MAILS).map(([name, title]) => ({
    value: `mail/${name}`,
    title: `Mail: ${title}`,
  })),
]

/** The page's only style, which its policy allows by hash. */
export const GALLERY_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dbe3, #39424e); --muted: light-dark(#526070, #a5b1bf);
  --raised: light-dark(#ffffff, #1b222b); font: 16px/1.5 system-ui, sans-serif; }
* { box-sizing: border-box; } body { margin: 0; background: light-dark(#f1f3f6, #12171e); color: light-dark(#17212e, #e8edf3); }
header { position: sticky; top: 0; z-index: 1; padding: 16px 24px; background: var(--raised); border-bottom: 1px solid var(--line); }
h1 { font-size: 21px; line-height: 1.2; margin: 0; } p { margin: 0; color: var(--muted); } a { color: inherit; }
form { display: flex; gap: 12px; flex-wrap: wrap; align-items: end; margin-top: 12px; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; max-width: 19rem; font-size: 14px; color: var(--muted); } select, button { font: inherit; height: 40px; max-width: 100%; padding: 0 12px;
  border-radius: 6px; border: 1px solid var(--muted); background: var(--raised); color: light-dark(#17212e, #e8edf3); } button { font-weight: 600; cursor: pointer; }
main { padding: 24px; } ul { list-style: none; margin: 0; padding: 0; display: grid; gap: 24px; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--tile)), 1fr)); }
main[data-width=desktop] { --tile: 318px; --wide: 1440; --high: 900; --scale: .22; } main[data-width=phone] { --tile: 196px; --wide: 390; --high: 844; --scale: .5; }
li { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; overflow-wrap: anywhere; align-content: start; justify-items: start; }
.frame { width: calc(var(--wide) * var(--scale) * 1px); height: calc(var(--high) * var(--scale) * 1px); max-width: 100%; overflow: hidden;
  border: 1px solid var(--line); border-radius: 8px; background: var(--raised); }
iframe { display: block; width: calc(var(--wide) * 1px); height: calc(var(--high) * 1px); border: 0; transform: scale(var(--scale)); transform-origin: 0 0; }
li a::after { content: ""; position: absolute; inset: 0; border-radius: 8px; } li a { font-weight: 600; text-decoration: none; } li a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid; outline-offset: 2px; } li a:focus-visible { outline: none; } li a:focus-visible::after { outline: 2px solid; outline-offset: 2px; }
@media (max-width: 40rem) { header { position: static; padding: 16px 20px; } main { padding: 20px; } main[data-width=phone] { --tile: 160px; --scale: .4; } label { flex: 1 1 40%; } }`

/** The gallery, with a small frame for each screen that links to its full size. */
export function galleryPage(brands: readonly BrandChoice[], choice: GalleryChoice): string {
  const { scheme, phone } = choice
  const shownBrands = brands.filter(({ value }) => [undefined, value].includes(choice.brand))
  const shownScreens = SCREEN_CHOICES.filter(({ value }) =>
    [undefined, value].includes(choice.screen),
  )
  const tiles = shownBrands.flatMap((brand) => shownScreens.map((screen) => ({ brand, screen })))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Gallery</title><style>${GALLERY_STYLE}</style></head>
<body><header>
<h1>Gallery</h1>
<p>Every screen in every brand, in sample states. Buttons and forms have no effect. <a href="/auth/login">Go to the login page</a></p>
<form method="get">
${select('Brand', 'brand', choice.brand, [{ value: 'all', title: 'Every brand' }, ...brands.map(({ value, name }) => ({ value, title: name }))])}
${select('Screen', 'screen', choice.screen, [{ value: 'all', title: 'Every screen' }, ...SCREEN_CHOICES])}
${select('Scheme', 'scheme', scheme, [
  { value: '', title: 'As the browser prefers' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
])}
${select('Width', 'width', phone ? 'phone' : 'desktop', [
  { value: 'desktop', title: 'Desktop' },
  { value: 'phone', title: 'Phone' },
])}
<button>Show</button>
</form>
</header>
<main data-width="${phone ? 'phone' : 'desktop'}"><ul>
${tiles.map((tile) => tileHtml(tile, choice)).join('\n')}
</ul></main>
</body></html>`
}

function tileHtml(
  { brand, screen }: { brand: BrandChoice; screen: ScreenChoice },
  { brand: oneBrand, screen: oneScreen, scheme }: GalleryChoice,
): string {
  const query = new URLSearchParams({
    brand: brand.value,
    ...(scheme === undefined ? {} : { scheme }),
  })
  const href = escapeHtml(`${GALLERY_PATH}/${screen.value}?${query}`)
  const title = escapeHtml(
    oneBrand === undefined && oneScreen === undefined
      ? `${brand.name}: ${screen.title}`
      : oneBrand === undefined
        ? brand.name
        : screen.title,
  )
  return `<li><div class="frame" inert><iframe src="${href}" title="${title}" loading="lazy" tabindex="-1"></iframe></div><a href="${href}">${title}</a></li>`
}

function select(
  label: string,
  name: string,
  chosen: string | undefined,
  options: readonly ScreenChoice[],
): string {
  return `<label>${label}<select name="${name}">${options
    .map(
      ({ value, title }) =>
        `<option value="${escapeHtml(value)}"${value === (chosen ?? options[0]?.value) ? ' selected' : ''}>${escapeHtml(title)}</option>`,
    )
    .join('')}</select></label>`
}
