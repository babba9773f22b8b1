import { WorkValue } from "@/lib/base/work-value";

const failures = new WorkValue<unknown[]>("signInFailures");

/** Keeps what a callback of next-auth throws for {@link rethrowing}. */
export async function keepingFailure<T>(callback: () => Promise<T>): Promise<T> {
  try {
    return await callback();
  } catch (error) {
    failures.get()?.push(error);
    throw error;
  }
}

/**
 * Runs next-auth's handler, and throws what its callback threw. next-auth itself makes a refused sign-in (401) of it,
 * also of a database that is away, and shows the error's text in the address that it redirects to.
 */
export async function rethrowing<T>(handle: () => Promise<T>): Promise<T> {
  const thrown: unknown[] = [];
  const response = await failures.run(thrown, handle);
  if (thrown.length > 0) throw thrown[0];
  return response;
}
