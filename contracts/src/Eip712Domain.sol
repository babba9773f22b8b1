// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ILedger} from "./interfaces/ILedger.sol";

/// EIP-712 domain with all five fields. The salt separates a ledger from one that was deployed at the same address of
/// another chain with the same id (local chains use the ids of the real ones).
abstract contract Eip712Domain is ILedger {
    bytes32 private constant DOMAIN_TYPEHASH = keccak256(
        "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)"
    );
    bytes32 private constant NAME_HASH = keccak256("Halcyon Ledger");
    bytes32 private constant VERSION_HASH = keccak256("2");

    /// @inheritdoc ILedger
    bytes32 public immutable domainSalt;
    uint256 private immutable deployedChainId;
    bytes32 private immutable deployedSeparator;

    constructor() {
        domainSalt = keccak256(abi.encode(blockhash(block.number - 1), address(this)));
        deployedChainId = block.chainid;
        deployedSeparator = keccak256(
            abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this), domainSalt)
        );
    }

    /// @inheritdoc ILedger
    function domainSeparator() public view returns (bytes32) {
        // A chain that splits off gets an id of its own: signatures of one must not count on the other.
        if (block.chainid == deployedChainId) return deployedSeparator;
        return keccak256(
            abi.encode(DOMAIN_TYPEHASH, NAME_HASH, VERSION_HASH, block.chainid, address(this), domainSalt)
        );
    }

    /// The EIP-712 digest of a struct, from its hash.
    function _digest(bytes32 structHash) internal view returns (bytes32 digest) {
        bytes32 separator = deployedSeparator;
        if (block.chainid != deployedChainId) separator = domainSeparator();
        assembly ("memory-safe") {
            let pointer := mload(0x40)
            mstore(pointer, hex"1901")
            mstore(add(pointer, 0x02), separator)
            mstore(add(pointer, 0x22), structHash)
            digest := keccak256(pointer, 0x42)
        }
    }
}
