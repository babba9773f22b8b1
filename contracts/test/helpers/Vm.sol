// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The cheat codes of forge that the tests use (https://getfoundry.sh/reference/cheatcodes).
interface Vm {
    struct Gas {
        uint64 gasLimit;
        uint64 gasTotalUsed;
        uint64 gasMemoryUsed;
        int64 gasRefunded;
        uint64 gasRemaining;
    }

    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 key) external pure returns (address);
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bool left, bool right, string calldata message) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertGe(uint256 left, uint256 right, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assume(bool condition) external pure;
    function chainId(uint256 id) external;
    function clearMockedCalls() external;
    function computeCreateAddress(address deployer, uint256 nonce) external pure returns (address);
    function cool(address target) external;
    function deal(address who, uint256 balance) external;
    function etch(address target, bytes calldata code) external;
    function expectCall(address callee, bytes calldata data) external;
    function expectEmit() external;
    function expectPartialRevert(bytes4 selector) external;
    function expectRevert(bytes4 selector) external;
    function expectRevert() external;
    function expectRevert(bytes calldata data) external;
    function getCode(string calldata artifact) external view returns (bytes memory);
    function getNonce(address who) external view returns (uint64);
    function getRecordedLogs() external returns (Log[] memory);
    function lastCallGas() external view returns (Gas memory);
    function mockCall(address callee, bytes calldata data, bytes calldata answer) external;
    function mockCallRevert(address callee, bytes calldata data, bytes calldata answer) external;
    function parseJsonAddress(string calldata json, string calldata key) external pure returns (address);
    function parseJsonAddressArray(string calldata json, string calldata key) external pure returns (address[] memory);
    function parseJsonBool(string calldata json, string calldata key) external pure returns (bool);
    function parseJsonBytes(string calldata json, string calldata key) external pure returns (bytes memory);
    function parseJsonBytes32(string calldata json, string calldata key) external pure returns (bytes32);
    function parseJsonBytesArray(string calldata json, string calldata key) external pure returns (bytes[] memory);
    function parseJsonStringArray(string calldata json, string calldata key) external pure returns (string[] memory);
    function parseJsonUint(string calldata json, string calldata key) external pure returns (uint256);
    function parseJsonUintArray(string calldata json, string calldata key) external pure returns (uint256[] memory);
    function prank(address sender) external;
    function readFile(string calldata path) external view returns (string memory);
    function recordLogs() external;
    function revertToState(uint256 snapshot) external returns (bool);
    function roll(uint256 number) external;
    function setBlockhash(uint256 number, bytes32 hash) external;
    function setNonce(address who, uint64 nonce) external;
    function sign(uint256 key, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256);
    function snapshotState() external returns (uint256);
    function snapshotValue(string calldata group, string calldata name, uint256 value) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function toString(uint256 value) external pure returns (string memory);
    function warp(uint256 timestamp) external;
}

Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
