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
  return `${[
    header(contractName, origin),
    constants(vkey),
    verifyProof(count, signals),
    ADD_MULTIPLE,
    PRODUCT_IS_ONE,
    "}",
  ].join("\n")}\n`;
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
  const outside = signals.map((i) => `signals[${i}] >= ORDER`).join("\n                || ");
  const sum = signals
    .map((i) => `_addMultiple(pairs, MINUS_IC${i + 1}_X, MINUS_IC${i + 1}_Y, signals[${i}])`)
    .join("\n            && ");
  return `    /// @param b a point of G2, as the precompile takes it: the imaginary part of each coordinate comes first
    /// @return whether the proof is valid; false also when a signal, a coordinate or a point is not one
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[${count}] calldata signals
    ) external view returns (bool) {
        if (
            ${outside}
        ) return false;

        // Four points of G1, each with one of G2. -L is summed in its place; gamma's is scratch until then.
        uint256[24] memory pairs;
        (pairs[12], pairs[13]) = (MINUS_IC0_X, MINUS_IC0_Y);
        bool summed = ${sum};
        if (!summed) return false;
        (pairs[14], pairs[15], pairs[16], pairs[17]) = (GAMMA_X_I, GAMMA_X_R, GAMMA_Y_I, GAMMA_Y_R);

        (pairs[0], pairs[1]) = (a[0], a[1]);
        (pairs[2], pairs[3], pairs[4], pairs[5]) = (b[0][0], b[0][1], b[1][0], b[1][1]);
        (pairs[6], pairs[7]) = (MINUS_ALPHA_X, MINUS_ALPHA_Y);
        (pairs[8], pairs[9], pairs[10], pairs[11]) = (BETA_X_I, BETA_X_R, BETA_Y_I, BETA_Y_R);
        (pairs[18], pairs[19]) = (c[0], c[1]);
        (pairs[20], pairs[21]) = (MINUS_DELTA_X_I, MINUS_DELTA_X_R);
        (pairs[22], pairs[23]) = (MINUS_DELTA_Y_I, MINUS_DELTA_Y_R);
        return _productIsOne(pairs);
    }
`;
}

const ADD_MULTIPLE = `    /// Adds factor * (x, y) to the third point of G1.
    /// @return done false when a precompile fails; the point means nothing then
    function _addMultiple(uint256[24] memory pairs, uint256 x, uint256 y, uint256 factor) private view returns (bool done) {
        (pairs[14], pairs[15], pairs[16]) = (x, y, factor);
        assembly ("memory-safe") {
            // ecMul (0x07) leaves the product where ecAdd (0x06) reads its second point.
            let sum := add(pairs, 0x180)
            let product := add(pairs, 0x1c0)
            done := staticcall(gas(), 0x07, product, 0x60, product, 0x40)
            done := and(done, eq(returndatasize(), 0x40))
            done := and(done, staticcall(gas(), 0x06, sum, 0x80, sum, 0x40))
            done := and(done, eq(returndatasize(), 0x40))
        }
    }
`;

const PRODUCT_IS_ONE = `    function _productIsOne(uint256[24] memory pairs) private view returns (bool one) {
        assembly ("memory-safe") {
            // ecPairing (0x08) returns 0 or 1, into a word of its own: without a precompile no other word is read.
            one := staticcall(gas(), 0x08, pairs, 0x300, 0x00, 0x20)
            one := and(one, and(eq(returndatasize(), 0x20), eq(mload(0x00), 1)))
        }
    }`;

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
