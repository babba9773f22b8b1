import { afterEach, expect, it, vi } from "vitest";
import { Kernel } from "./kernel";
import { PAIR_BYTES } from "./limbs";
import { ProverUnsupported } from "./prover-unsupported";

afterEach(() => vi.restoreAllMocks());

it("says what is missing where WebAssembly has no SIMD, and starts once it has", async () => {
  vi.resetModules();
  const { Kernel: Fresh } = await import("./kernel");
  const without = vi
    .spyOn(WebAssembly, "compile")
    .mockRejectedValue(new WebAssembly.CompileError("invalid opcode 0xfd"));
  const error = await Fresh.build().catch((thrown: Error) => thrown);
  expect(error).toMatchObject({ name: ProverUnsupported.name, message: expect.stringContaining("SIMD") });
  without.mockRestore();
  await expect(Fresh.build()).resolves.toBeInstanceOf(Fresh);
});

it("gives memory back empty, and grows where it must", async () => {
  const kernel = await Kernel.build();
  const mark = kernel.mark();
  const far = kernel.alloc(40 * 2 ** 20);
  kernel.bytes().fill(7, far, far + 40 * 2 ** 20);
  kernel.release(mark);
  const again = kernel.alloc(40 * 2 ** 20);
  const found = kernel.bytes().subarray(again, again + 40 * 2 ** 20);
  expect(Buffer.compare(found, Buffer.alloc(40 * 2 ** 20))).toBe(0);
});

it("keeps numbers of any sign as they are", async () => {
  const kernel = await Kernel.build();
  const pair = kernel.pair(-(1n << 250n) - 3n, (1n << 260n) - 1n);
  expect(pair % 8).toBe(0);
  expect(kernel.readPair(pair)).toEqual([-(1n << 250n) - 3n, (1n << 260n) - 1n]);
  expect(kernel.mark()).toBe(pair + PAIR_BYTES);
});
