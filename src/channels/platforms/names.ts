// What the platforms are called.

/** The platforms that have files of their own. `viber` and `email` come through `api`. */
export const PLATFORM_NAMES = ['telegram', 'whatsapp', 'facebook', 'instagram', 'api', 'web'] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]
