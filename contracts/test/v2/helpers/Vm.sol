// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Vm} from "../../helpers/Vm.sol";

/// More of forge's cheat codes.
interface VmMore is Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    function assertEq(bool left, bool right, string calldata message) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function cool(address target) external;
    function etch(address target, bytes calldata code) external;
    function expectCall(address callee, bytes calldata data) external;
    function lastCallGas() external view returns (Gas memory);
    function parseJsonAddressArray(string calldata json, string calldata key) external pure returns (address[] memory);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonUintArray(string calldata json, string calldata key) external pure returns (uint256[] memory);
    function revertToState(uint256 snapshot) external returns (bool);
    function snapshotState() external returns (uint256);
    function snapshotValue(string calldata group, string calldata name, uint256 value) external;
    function toString(uint256 value) external pure returns (string memory);
}

VmMore constant vm = VmMore(address(uint160(uint256(keccak256("hevm cheat code")))));
