// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Public signals: oldAvailable, newAvailable, note, ctx.
interface ITransferVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[4] calldata signals
    ) external view returns (bool);
}

/// Public signals: oldAvailable, newAvailable, amount, ctx.
interface IReleaseVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[4] calldata signals
    ) external view returns (bool);
}

/// Public signals: fromOldAvailable, fromNewAvailable, toOldAvailable, toNewAvailable, ctx.
interface IFundVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[5] calldata signals
    ) external view returns (bool);
}

/// Public signals: notes[8], deposited, oldAvailable, newAvailable, changeNote, ctx.
interface IMakeAvailableVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[13] calldata signals
    ) external view returns (bool);
}

/// Public signals: oldAvailable, newAvailable, note, policy, terms, encryptedAmount, ctx.
interface ISpendVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[7] calldata signals
    ) external view returns (bool);
}

/// Public signals: oldAvailable, newAvailable, amount, policy, terms, ctx.
interface ISpendPublicVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[6] calldata signals
    ) external view returns (bool);
}

/// Public signals: oldAvailable, newAvailable, notes[16], ctx.
interface IPayManyVerifier {
    function verifyProof(
        uint256[2] calldata a,
        uint256[2][2] calldata b,
        uint256[2] calldata c,
        uint256[19] calldata signals
    ) external view returns (bool);
}
