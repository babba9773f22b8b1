/** The columns of everything that a key wraps, emptied. A key that ends keeps none of it. */
export const NO_WRAPS = { wrap: null, flagWrap: null, accessWrap: null, homeWrap: null } as const;
