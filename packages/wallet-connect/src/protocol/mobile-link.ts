/** Links that open the mobile wallet (protocol 14): one for the QR code, one to tap on the phone. */

/** A mobile wallet and its link targets. */
export interface MobileApp {
  /** Origin of the dynamic links. */
  readonly linkOrigin: string
  /** The page that a scanned link opens. */
  readonly connectPage: string
  /** The page that a tapped link opens. */
  readonly tapPage: string
  /** A wallet page that takes the URI as `data`: the QR code links there if no short link is available. */
  readonly openPage?: string
  /** The app's name in both stores. */
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

/** The link for the QR code. Wallets expect the URI in it to be encoded three times. */
export function dynamicLink(uri: string, app: MobileApp): string {
  const encoded = encodeURIComponent(encodeURIComponent(encodeURIComponent(uri)))
  return withApp(`${encodeURIComponent(`${app.connectPage}?data=`)}${encoded}`, app)
}

/** The link to tap on a phone, built from the text of the QR code. */
export function clickableLink(qrCodeUrl: string, app: MobileApp): string {
  return withApp(encodeURIComponent(`${app.tapPage}?data=${encodeURIComponent(qrCodeUrl)}`), app)
}

function withApp(encodedLink: string, { linkOrigin, packageName, appStoreId }: MobileApp): string {
  return `${linkOrigin}?link=${encodedLink}&apn=${packageName}&ibi=${packageName}&isi=${appStoreId}&efr=1`
}
