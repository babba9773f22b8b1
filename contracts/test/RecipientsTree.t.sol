// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {vm} from "./helpers/Vm.sol";

/// The trees of recipients that the client library makes (lib/ledger/policy/recipients-tree.ts), read as the ledger
/// reads them.
/// ├── every recipient of every tree is proven, by its own leaf salt alone
/// └── refused: a stranger, another account, another salt, a path cut short, no path
contract RecipientsTreeTest {
    address private constant STRANGER = address(0xbad);
    string[4] private sizes = [".trees.of1", ".trees.of4", ".trees.of5", ".trees.of17"];

    bytes32 private root;
    address private account;
    address[] private recipients;
    bytes32[] private leafSalts;
    bytes32[] private paths;

    function test_EveryRecipientOfEveryTreeIsProven() public {
        uint256[4] memory counts = [uint256(1), 4, 5, 17];
        for (uint256 i = 0; i < sizes.length; ++i) {
            _load(sizes[i]);
            vm.assertEq(recipients.length, counts[i]);
            for (uint256 j = 0; j < recipients.length; ++j) {
                vm.assertTrue(_proves(account, recipients[j], leafSalts[j], _path(j, 0)));
            }
        }
    }

    function test_NoOneElseIsProven() public {
        for (uint256 i = 0; i < sizes.length; ++i) {
            _load(sizes[i]);
            address first = recipients[0];
            vm.assertFalse(_proves(account, STRANGER, leafSalts[0], _path(0, 0)), "a stranger");
            vm.assertFalse(_proves(STRANGER, first, leafSalts[0], _path(0, 0)), "another account");
            vm.assertFalse(_proves(account, first, root, _path(0, 0)), "another salt");
            vm.assertFalse(_proves(account, first, leafSalts[0], _path(0, 1)), "a path cut short");
            vm.assertFalse(_proves(account, first, leafSalts[0], new bytes32[](0)), "no path");
        }
    }

    function _proves(address holder, address recipient, bytes32 leafSalt, bytes32[] memory path)
        private
        view
        returns (bool)
    {
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(holder, recipient, leafSalt))));
        return MerkleProof.verify(path, root, leaf);
    }

    /// The path of a recipient, without its first `skipped` nodes.
    function _path(uint256 index, uint256 skipped) private view returns (bytes32[] memory path) {
        uint256 depth = paths.length / recipients.length;
        path = new bytes32[](depth - skipped);
        for (uint256 i = skipped; i < depth; ++i) {
            path[i - skipped] = paths[index * depth + i];
        }
    }

    function _load(string memory size) private {
        string memory json = vm.readFile("contracts/test/fixtures/recipients.json");
        account = vm.parseJsonAddress(json, ".account");
        (root, recipients, leafSalts, paths) =
            abi.decode(vm.parseJsonBytes(json, size), (bytes32, address[], bytes32[], bytes32[]));
    }
}
