// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The one function of EIP-3009 that the ledger calls. The token itself checks that `to` is the caller.
interface IERC3009Receive {
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}
