/** Links that open the mobile wallet (protocol 14): the one in the QR code, and the one to tap on the phone itself. */

/** A mobile wallet and the pages its links go through. */
export interface MobileApp {
  /** Origin of the dynamic links. */
  readonly linkOrigin: string
  /** The page a scanned link names. */
  readonly connectPage: string
  /** The page a tapped link names. */
  readonly tapPage: string
  /** A page of the wallet that takes the URI as `data`: the code leads there where no short link can be made. */
  readonly openPage?: string
  /** Its name in both app stores. */
  readonly packageName: string
  readonly appStoreId: string
}

/** The mobile wallets of the public library; `_test` is used outside production. */
export const MOBILE_APPS = {
  figure_mobile: {
    linkOrigin: 'https://figurewallet.page.link',
    connectPage: 'https://figure.com/wallet/connect',
    tapPage: 'https://figure.com/wallet-connect',
    packageName: 'com.figure.mobile.wallet',
    appStoreId: '6444263900',
  },
  figure_mobile_test: {
    linkOrigin: 'https://figurewallet.page.link',
    connectPage: 'https://figure.com/wallet/connect',
    tapPage: 'https://figure.com/wallet-connect',
    packageName: 'com.figure.mobile.wallet.dev',
    appStoreId: '6444293331',
  },
} as const satisfies Record<string, MobileApp>

/** The link for the QR code; the URI in it is encoded three times, as the wallets expect. */
export function dynamicLink(uri: string, app: MobileApp): string {
  const encoded = encodeURIComponent(encodeURIComponent(encodeURIComponent(uri)))
  return withApp(`${encodeURIComponent(`${app.connectPage}?data=`)}${encoded}`, app)
}

/** The link to tap on a phone, made of the text that the QR code holds. */
export function clickableLink(qrCodeUrl: string, app: MobileApp): string {
  return withApp(encodeURIComponent(`${app.tapPage}?data=${encodeURIComponent(qrCodeUrl)}`), app)
}

function withApp(encodedLink: string, { linkOrigin, packageName, appStoreId }: MobileApp): string {
  return `${linkOrigin}?link=${encodedLink}&apn=${packageName}&ibi=${packageName}&isi=${appStoreId}&efr=1`
}
