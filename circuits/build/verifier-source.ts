import type { VerificationKey } from "snarkjs";

/** Order of the field of BN254's coordinates (EIP-196). */
const BASE_FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;

/**
 * The Solidity source of a Groth16 verifier for one verification key.
 *
 * The equation is the one of "On the Size of Pairing-based Non-interactive Arguments" (Groth, 2016), section 3.2; the
 * precompiles are those of EIP-196 and EIP-197.
 *
 * @param origin where the key comes from, for the second line
 * @throws when the key is of another curve or has another number of points than its signals need
 */
export function verifierSource(vkey: VerificationKey, contractName: string, origin: string): string {
  const count = vkey.nPublic;
  if (vkey.protocol !== "groth16" || vkey.curve !== "bn128") throw new Error("not a Groth16 key over BN254");
  if (count < 1 || vkey.IC.length !== count + 1) throw new Error("the key has another number of signals than points");
  const points = [vkey.vk_alpha_1, ...vkey.IC, vkey.vk_beta_2, vkey.vk_gamma_2, vkey.vk_delta_2];
  // A signal whose point is infinity is bound by nothing: any value would pass.
  if (!points.every(isAffine)) throw new Error("a point of the key is infinity");
  const signals = Array.from({ length: count }, (_, i) => i);
  return `${[header(contractName, origin), constants(vkey), verifyProof(count, signals), "}"].join("\n")}\n`;
}

function header(contractName: string, origin: string): string {
  return `// SPDX-License-Identifier: Apache-2.0
// ${origin} Do not edit.
pragma solidity ^0.8.24;

/// @notice Verifies Groth16 proofs over BN254.
/// @dev A proof (A, B, C) is valid for signals s when e(A, B) = e(alpha, beta) e(L, gamma) e(C, delta), where
/// L = IC0 + s[0] IC1 + s[1] IC2 + and so on (Groth, 2016). The constants are -alpha, -IC and -delta, so the product
/// e(A, B) e(-alpha, beta) e(-L, gamma) e(C, -delta) must be one and no point is negated here. The precompiles (EIP-196,
/// EIP-197) refuse coordinates outside the field, points off the curve and points of G2 outside the group.
contract ${contractName} {`;
}

function constants(vkey: VerificationKey): string {
  const ic = vkey.IC.flatMap((point, i) => g1(`MINUS_IC${i}`, negated(point)));
  return `    // Order of the group: a signal is below it, so that each statement has one form.
    uint256 private constant ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617;

    // Verification key. A coordinate in G2 is I * i + R.
${[
  ...g1("MINUS_ALPHA", negated(vkey.vk_alpha_1)),
  ...g2("BETA", vkey.vk_beta_2),
  ...g2("GAMMA", vkey.vk_gamma_2),
  ...g2("MINUS_DELTA", negatedG2(vkey.vk_delta_2)),
  ...ic,
].join("\n")}
`;
}

function verifyProof(count: number, signals: number[]): string {
  const sum = signals
    .map((i) => `            addMultiple(MINUS_IC${i + 1}_X, MINUS_IC${i + 1}_Y, ${signalAt(i)})`)
    .join("\n");
  return `    /// @param b a point of G2, as the precompile takes it: the imaginary part of each coordinate comes first
    /// @return valid false also when a signal, a coordinate or a point is not one
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[${count}] calldata signals
    ) external view returns (bool valid) {
        // Nothing is allocated, and the block ends the call: all of memory is its own. From zero, four points of G1 lie
        // there, each with one of G2. -L is summed in its place (0x180); gamma's is scratch until then.
        assembly {
            // Adds factor * (x, y) to -L. Ends the call when the factor is no signal, or a precompile fails.
            function addMultiple(x, y, factor) {
                mstore(0x1c0, x)
                mstore(0x1e0, y)
                mstore(0x200, factor)
                // ecMul (0x07) leaves the product where ecAdd (0x06) reads its second point.
                let done := staticcall(gas(), 0x07, 0x1c0, 0x60, 0x1c0, 0x40)
                done := and(done, eq(returndatasize(), 0x40))
                done := and(done, staticcall(gas(), 0x06, 0x180, 0x80, 0x180, 0x40))
                done := and(done, eq(returndatasize(), 0x40))
                if iszero(and(done, lt(factor, ORDER))) {
                    mstore(0x00, 0)
                    return(0x00, 0x20)
                }
            }

            mstore(0x180, MINUS_IC0_X)
            mstore(0x1a0, MINUS_IC0_Y)
${sum}
            calldatacopy(0x00, a, 0x40)
            calldatacopy(0x40, b, 0x80)
            mstore(0xc0, MINUS_ALPHA_X)
            mstore(0xe0, MINUS_ALPHA_Y)
            mstore(0x100, BETA_X_I)
            mstore(0x120, BETA_X_R)
            mstore(0x140, BETA_Y_I)
            mstore(0x160, BETA_Y_R)
            mstore(0x1c0, GAMMA_X_I)
            mstore(0x1e0, GAMMA_X_R)
            mstore(0x200, GAMMA_Y_I)
            mstore(0x220, GAMMA_Y_R)
            calldatacopy(0x240, c, 0x40)
            mstore(0x280, MINUS_DELTA_X_I)
            mstore(0x2a0, MINUS_DELTA_X_R)
            mstore(0x2c0, MINUS_DELTA_Y_I)
            mstore(0x2e0, MINUS_DELTA_Y_R)
            // ecPairing (0x08) returns 0 or 1, into a word of its own: without a precompile no other word is read.
            valid := staticcall(gas(), 0x08, 0x00, 0x300, 0x300, 0x20)
            valid := and(valid, eq(returndatasize(), 0x20))
            mstore(0x00, and(valid, eq(mload(0x300), 1)))
            return(0x00, 0x20)
        }
    }`;
}

function signalAt(index: number): string {
  return index === 0 ? "calldataload(signals)" : `calldataload(add(signals, 0x${(32 * index).toString(16)}))`;
}

function g1(name: string, [x, y]: string[]): string[] {
  return [constant(`${name}_X`, x), constant(`${name}_Y`, y)];
}

/** snarkjs writes 1 as the third coordinate, and 0 of infinity. */
function isAffine(point: (string | string[])[]): boolean {
  return [point[2]].flat().join() === (Array.isArray(point[2]) ? "1,0" : "1");
}

/** A verification key lists the real part of a coordinate first. */
function g2(name: string, [x, y]: string[][]): string[] {
  return [
    constant(`${name}_X_I`, x?.[1]),
    constant(`${name}_X_R`, x?.[0]),
    constant(`${name}_Y_I`, y?.[1]),
    constant(`${name}_Y_R`, y?.[0]),
  ];
}

function constant(name: string, value: string | undefined): string {
  if (value === undefined || !/^\d+$/.test(value)) throw new Error(`the key has no ${name}`);
  return `    uint256 private constant ${name} = ${value};`;
}

function negated([x = "", y = ""]: string[]): string[] {
  return [x, minus(y)];
}

function negatedG2([x = [], y = []]: string[][]): string[][] {
  return [x, y.map(minus)];
}

function minus(coordinate: string): string {
  return ((BASE_FIELD - BigInt(coordinate)) % BASE_FIELD).toString();
}
