/** Makes what a fresh installation has to have, `@demo` and the recipient that fails; does nothing when they are there. */
export async function seedDemo(env: Record<string, string>, say: (line: string) => void): Promise<void> {
  Object.assign(process.env, env);
  // The verbs read the environment as they load.
  const { makeDemoAccounts } = await import("./demo-account");
  await makeDemoAccounts(say);
}
