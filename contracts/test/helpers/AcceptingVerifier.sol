// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Takes every proof: what the ledger refuses in front of it, it refuses whatever a prover can do.
contract AcceptingVerifier {
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[4] calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }

    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[5] calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }

    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[13] calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }
}
