/** A radio button of the languages, as the page has it. */
interface Radio {
  value: string;
  checked: boolean;
  defaultChecked: boolean;
}

/**
 * Returns the language of the samples that a page shows once its scripts have loaded: the one chosen before that, or
 * else the one kept from earlier. Null for the first.
 */
export function languageToShow(radios: readonly Radio[], kept: string | null): string | null {
  const early = radios.find(({ checked, defaultChecked }) => checked && !defaultChecked);
  const offered = radios.find(({ value }) => value === kept);
  return (early ?? offered)?.value ?? null;
}
